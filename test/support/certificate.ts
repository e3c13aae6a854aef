/** A certificate for loopback addresses, made by openssl for a test. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface TestCertificate {
  /** Its file, which is also that of its authority. */
  readonly file: string;
  /** Parameters of redis-server for TLS alone, also to other servers. */
  readonly redis: readonly string[];
}

export function makeCertificate(): TestCertificate {
  const folder = mkdtempSync(join(tmpdir(), 'tls-'));
  const [key, file] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  const request = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', '-subj', '/CN=localhost'];
  const names = ['-addext', 'subjectAltName=DNS:localhost,IP:127.0.0.1'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', file], { stdio: 'ignore' });
  const files = ['--tls-cert-file', file, '--tls-key-file', key, '--tls-ca-cert-file', file];
  return { file, redis: [...files, '--tls-auth-clients', 'no', '--tls-replication', 'yes'] };
}
