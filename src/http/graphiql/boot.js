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
  if (operation?.operation === 'subscription') return subscriptionOf(params, headers);
  if (filePaths(params.variables).length > 0) return sendWithFile(params, headers, operation);
  return requestOf(JSON.stringify(params), { 'content-type': 'application/json', ...headers }, operation);
}

function sendWithFile(params, headers, operation) {
  const file = chosenFile();
  if (file)
    return requestOf(multipartOf(params, file), { 'x-graphql-yoga-csrf': '1', ...headers }, operation);
  focusFileControl();
  return failure('Choose a file below the editors. Nothing was sent.');
}

function failure(message) {
  return { errors: [{ message }] };
}

/** An observable, which GraphiQL can stop. GraphiQL itself would show the events of a failed socket without their codes. */
function subscriptionOf(params, headers) {
  return {
    subscribe({ next, error, complete }) {
      const onError = (problem) => {
        if (Array.isArray(problem)) return error(problem);
        const { code, message, reason = message } = problem;
        const why = [code, reason].filter(Boolean).join(': ');
        next(failure(`The WebSocket to ${socketUrl} failed${why && ` (${why})`}. ${remedy}`));
        complete();
      };
      return { unsubscribe: clientFor(headers).subscribe(params, { next, error: onError, complete }) };
    },
  };
}

const remedy = 'Check the headers, and that the gateway is running.';

const mayBeDone = 'A write may have been done: look at the document service before you run it again.';

/**
 * An observable of one result, whose request GraphiQL can stop. It also stops the request when another tab opens, which then
 * shows the message: a stopped write must not be forgotten.
 */
function requestOf(body, headers, operation) {
  return {
    subscribe({ next, complete }) {
      const controller = new AbortController();
      const { signal } = controller;
      const failed = ({ message }) =>
        signal.aborted
          ? failure(`${operation?.name?.value ?? 'The operation'} was stopped. ${mayBeDone}`)
          : failure(`No response from ${endpoint}: ${message}. ${remedy} ${mayBeDone}`);
      send(body, headers, signal)
        .catch(failed)
        .then((result) => {
          next(result);
          complete();
        });
      return { unsubscribe: () => controller.abort() };
    },
  };
}

async function send(body, headers, signal) {
  const response = await fetch(endpoint, {
    method: 'POST',
    headers: { accept: 'application/json', ...headers },
    body,
    signal,
  });
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch {
    return failure(
      `${endpoint} responded with status ${response.status}, but not with JSON: ${text.slice(0, 500)}`,
    );
  }
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
