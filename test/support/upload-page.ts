/** The script that a browser runs to test the upload recipes: each uploads a file to the gateway. */
import { createApolloClient } from '../../examples/clients/apollo/client.ts';
import { scanWithProgress as scanWithApollo } from '../../examples/clients/apollo/upload-with-progress.ts';
import { createSession } from '../../examples/clients/shared/session.ts';
import { createUrqlClient } from '../../examples/clients/urql/client.ts';
import { scanWithProgress as scanWithUrql } from '../../examples/clients/urql/upload-with-progress.ts';

export interface UploadOrder {
  readonly client: 'urql' | 'apollo';
  readonly gatewayUrl: string;
  readonly sizeBytes: number;
}

export interface UploadOutcome {
  readonly data: any;
  readonly error: string | undefined;
  /** `[sentBytes, totalBytes]`, in order. */
  readonly progress: [number, number][];
}

async function upload({ client, gatewayUrl, sizeBytes }: UploadOrder): Promise<UploadOutcome> {
  const session = createSession('dave-key', 'dave-token');
  const file = new File([new Uint8Array(sizeBytes)], 'card.png', { type: 'image/png' });
  const progress: [number, number][] = [];
  const onProgress = (sent: number, total: number) => progress.push([sent, total]);
  const scan =
    client === 'urql'
      ? scanWithUrql(createUrqlClient(gatewayUrl, session), file, '7', onProgress)
      : scanWithApollo(createApolloClient(gatewayUrl, session), file, '7', onProgress);
  const { data, error } = await scan;
  return { data, error: error?.message, progress };
}

Object.assign(globalThis, { upload });
