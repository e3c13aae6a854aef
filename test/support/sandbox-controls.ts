/** The controls of the sandbox that a gateway under test uses. */
import { expect } from 'vitest';
import type { TestGateway } from './gateway.ts';

type Service = Pick<TestGateway, 'serviceUrl'>;

/** Sets a fault or wrong assumptions, or moves the clock forward: `{ advanceMs }`. */
export async function controlSandbox(
  service: Service,
  path: 'faults' | 'clock' | 'course' | 'assumptions',
  order: object,
) {
  await request(service, path, { method: 'POST', body: JSON.stringify(order) });
}

/** The calls that the sandbox received, oldest first. */
export async function sandboxCalls(service: Service): Promise<Record<string, any>[]> {
  return (await request(service, 'calls')).calls;
}

export async function forgetSandboxCalls(service: Service): Promise<void> {
  await request(service, 'calls', { method: 'DELETE' });
}

async function request({ serviceUrl }: Service, path: string, init: RequestInit = {}): Promise<any> {
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(new URL(`/sandbox/${path}`, serviceUrl), { ...init, headers });
  expect(response.status).toBe(200);
  return await response.json();
}
