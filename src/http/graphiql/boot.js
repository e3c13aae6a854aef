import { chosenFile, focusFileControl, showPlaceOfFile } from './file-control.js';
import { createClient } from './graphql-ws/client.js';
import { filePaths, multipartOf } from './upload.js';

const { isSandbox, headers: defaultHeaders, tabs } = await (await fetch('/graphiql/ready.json')).json();
const endpoint = new URL('/graphql', location.href);
const socketUrl = Object.assign(new URL(endpoint), {
  protocol: endpoint.protocol.replace('http', 'ws'),
}).href;

/** One socket per set of headers: a socket keeps the credentials of its `connection_init`. */
const clients = new Map();

function clientFor(headers) {
  const key = JSON.stringify(headers);
  if (!clients.has(key))
    clients.set(key, createClient({ url: socketUrl, connectionParams: headers, lazy: true }));
  return clients.get(key);
}

/** The operation of the given name; without a name, the first one. */
function operationIn(documentAST, operationName) {
  return documentAST?.definitions.find(
    ({ kind, name }) => kind === 'OperationDefinition' && (!operationName || name?.value === operationName),
  );
}

/** For a moment after a tab opens, GraphiQL sends the operation name of the previous tab. */
function withoutForeignName({ operationName, ...params }) {
  const isOwn = new RegExp(`\\b${operationName}\\b`).test(params.query);
  return isOwn ? { operationName, ...params } : params;
}

/** The operations of a tab share its variables. Only an operation that declares the file asks for one. */
function declaredVariables(variables, { variableDefinitions }) {
  const declared = variableDefinitions?.map(({ variable }) => variable.name.value) ?? [];
  return Object.fromEntries(Object.entries(variables ?? {}).filter(([name]) => declared.includes(name)));
}

async function fetcher(graphQLParams, { headers = {}, documentAST } = {}) {
  const params = withoutForeignName(graphQLParams);
  const operation = operationIn(documentAST, params.operationName);
  if (operation) params.variables = declaredVariables(params.variables, operation);
  if (operation?.operation === 'subscription') return clientFor(headers).iterate(params);
  if (filePaths(params.variables).length > 0) return await sendWithFile(params, headers);
  return await send(JSON.stringify(params), { 'content-type': 'application/json', ...headers });
}

async function sendWithFile(params, headers) {
  const file = chosenFile();
  if (file) return await send(multipartOf(params, file), { 'x-graphql-yoga-csrf': '1', ...headers });
  focusFileControl();
  return { errors: [{ message: 'Choose a file below the editors. Nothing was sent.' }] };
}

async function send(body, headers) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body,
  });
  return await response.json();
}

/**
 * The tab that GraphiQL opens with. GraphiQL restores the tabs of the last visit, but adds an empty one unless it is
 * given one of them.
 */
function initialTab() {
  try {
    const { tabs: restored, activeTabIndex } = JSON.parse(localStorage.getItem('graphiql:tabState'));
    const { query, variables } = restored[activeTabIndex];
    return { query: query ?? undefined, variables: variables ?? undefined };
  } catch {
    // The first visit, or a stored state that GraphiQL cannot read either.
    return tabs[0];
  }
}

if (isSandbox) {
  const notice = document.querySelector('#sandbox-notice');
  notice.querySelector('button').addEventListener('click', () => notice.remove());
  notice.hidden = false;
}

const root = document.querySelector('#root');
const initial = initialTab();
showPlaceOfFile(initial.variables);

document.title = isSandbox ? 'Folio · sandbox' : 'Folio';
globalThis.YogaGraphiQL.renderYogaGraphiQL(root, {
  fetcher,
  ...initial,
  onEditVariables: showPlaceOfFile,
  defaultTabs: tabs,
  defaultHeaders,
  defaultEditorToolsVisibility: 'variables',
  title: 'Folio',
  logo: '<img src="/graphiql/favicon.svg" alt="" width="28" />',
  shouldPersistHeaders: false,
});

/** In an editor Tab inserts blanks. Who presses it may want to leave the editor without a mouse. */
const hint = document.querySelector('#keyboard-hint');
root.addEventListener(
  'keydown',
  ({ key, target }) => {
    if (key !== 'Tab' || !target.closest('.monaco-editor')) return;
    hint.textContent = 'Ctrl+M, on macOS Ctrl+Shift+M, lets Tab leave the editor.';
  },
  true,
);
root.addEventListener('focusout', () => (hint.textContent = ''));

/** Gives the editor the focus once it exists, so that Ctrl-Enter works without a click. */
const focusEditor = new MutationObserver(() => {
  const editor = document.querySelector(
    '.graphiql-query-editor :is(textarea.inputarea, .native-edit-context)',
  );
  if (!editor) return;
  focusEditor.disconnect();
  if (document.activeElement === document.body) editor.focus();
});
focusEditor.observe(root, { childList: true, subtree: true });
