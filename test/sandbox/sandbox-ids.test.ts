import { expect, it } from 'vitest';
import { startTestGateway } from '../support/gateway.ts';

it('the sandbox compares ids exactly as they are stored', async () => {
  const sandboxed = await startTestGateway();
  const found = async (id: string) =>
    (await sandboxed.ask(`{ mexicoValidation(by: { documentId: "${id}" }) { documentId } }`)).data
      .mexicoValidation;
  expect(await found('1001')).toEqual({ documentId: '1001' });
  expect(await found('01001')).toBeNull();
  await sandboxed.close();
});
