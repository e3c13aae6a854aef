import { createClient } from './graphql-ws/client.js';

const { isSandbox, headers: defaultHeaders, tabs } = await (await fetch('/graphiql/ready.json')).json();
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

/** For a moment after a tab was opened, GraphiQL still names the operation of the tab before. */
function withoutForeignName({ operationName, ...params }) {
  const isOwn = new RegExp(`\\b${operationName}\\b`).test(params.query);
  return isOwn ? { operationName, ...params } : params;
}

async function fetcher(asked, { headers = {}, documentAST } = {}) {
  const params = withoutForeignName(asked);
  if (isSubscription(documentAST, params.operationName)) return clientFor(headers).iterate(params);
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
    body: JSON.stringify(params),
  });
  return await response.json();
}

/**
 * What the page begins with. GraphiQL restores the tabs of its last visit by itself, but opens one more, an empty
 * one, unless it is told of one that it has.
 */
function openTab() {
  try {
    const { tabs: restored, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
    const { query, variables } = restored[activeTabIndex];
    return { query: query ?? undefined, variables: variables ?? undefined };
  } catch {
    // There was no last visit, or it left what GraphiQL cannot read either.
    return tabs[0];
  }
}

if (isSandbox) {
  const notice = document.querySelector('#sandbox-notice');
  notice.querySelector('button').addEventListener('click', () => notice.remove());
  notice.hidden = false;
}

document.title = isSandbox ? 'Folio · the sandbox answers' : 'Folio';
globalThis.YogaGraphiQL.renderYogaGraphiQL(document.querySelector('#root'), {
  fetcher,
  ...openTab(),
  defaultTabs: tabs,
  defaultHeaders,
  defaultEditorToolsVisibility: 'variables',
  title: 'Folio',
  logo: '<img src="/graphiql/favicon.svg" alt="" width="28" />',
  shouldPersistHeaders: false,
});
