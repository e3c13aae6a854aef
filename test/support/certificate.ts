/** A certificate for loopback addresses and `service.test`, made by openssl for a test. */
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { type forFile, temporaryFolder } from './lifetimes.ts';

/**
 * Its `file` is also that of its authority. `redis`: the parameters of redis-server for TLS alone, also to other servers.
 * Removed at the end of the running test; with `forFile` after the last test of the file.
 */
export function makeCertificate(keep?: typeof forFile) {
  const folder = temporaryFolder(keep);
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', keyFile];
  const names = ['-addext', 'subjectAltName=DNS:localhost,DNS:service.test,IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...key, ...names, '-out', file], { stdio: 'ignore' });
  const files = ['--tls-cert-file', file, '--tls-key-file', keyFile, '--tls-ca-cert-file', file];
  return { file, keyFile, redis: [...files, '--tls-auth-clients', 'no', '--tls-replication', 'yes'] };
}
