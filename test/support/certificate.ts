/** A certificate for loopback addresses and `service.test`, made by openssl for a test. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  /** Its file, which is also that of its authority. */
  readonly file: string;
  readonly keyFile: string;
  /** Parameters of redis-server for TLS alone, also to other servers. */
  readonly redis: readonly string[];
}

export function makeCertificate(): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [keyFile, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-keyout', keyFile];
  const names = ['-addext', 'subjectAltName=DNS:localhost,DNS:service.test,IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...key, ...names, '-out', file], { stdio: 'ignore' });
  const files = ['--tls-cert-file', file, '--tls-key-file', keyFile, '--tls-ca-cert-file', file];
  return { file, keyFile, redis: [...files, '--tls-auth-clients', 'no', '--tls-replication', 'yes'] };
}
