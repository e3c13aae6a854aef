import { createClient } from './graphql-ws/client.js';

const { isSandbox, ready } = await (await fetch('/graphiql/ready.json')).json();
const endpoint = new URL('/graphql', location.href);
const socketUrl = Object.assign(new URL(endpoint), {
  protocol: endpoint.protocol.replace('http', 'ws'),
}).href;

/** One socket for each set of headers: a socket keeps the credentials that it began with. */
const clients = new Map();

function clientFor(headers) {
  const key = JSON.stringify(headers);
  if (!clients.has(key))
    clients.set(key, createClient({ url: socketUrl, connectionParams: headers, lazy: true }));
  return clients.get(key);
}

function isSubscription(documentAST, operationName) {
  return documentAST?.definitions.some(
    ({ kind, operation, name }) =>
      kind === 'OperationDefinition' &&
      operation === 'subscription' &&
      (!operationName || name?.value === operationName),
  );
}

async function fetcher(params, { headers = {}, documentAST } = {}) {
  if (isSubscription(documentAST, params.operationName)) return clientFor(headers).iterate(params);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  return await response.json();
}

const title = isSandbox ? 'Folio · the sandbox answers' : 'Folio';
document.title = title;
globalThis.YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), {
  fetcher,
  ...ready,
  title,
  logo: '<img src="/graphiql/favicon.svg" alt="" width="28" />',
  shouldPersistHeaders: false,
});
