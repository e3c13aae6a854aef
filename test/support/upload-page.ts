/** The script that a browser runs to test the upload recipes: each uploads a file to the gateway. */

import { scanWithProgress as scanWithApollo } from '../../packages/client/src/apollo/upload-with-progress.ts';
import { createApolloClient } from '../../packages/client/src/apollo.ts';
import { createSession } from '../../packages/client/src/session.ts';
import { scanWithProgress as scanWithUrql } from '../../packages/client/src/urql/upload-with-progress.ts';
import { createUrqlClient } from '../../packages/client/src/urql.ts';

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
