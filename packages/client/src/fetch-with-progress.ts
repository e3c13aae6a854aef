/**
 * `fetch` that reports how much of the body was sent, for one call. Browsers report it only for XMLHttpRequest: a
 * streamed `fetch` body counts buffered bytes, and needs HTTP/2. Where there is no XMLHttpRequest (Node), it is `fetch` and
 * reports nothing. XMLHttpRequest follows redirects, with all headers, and no setting forbids it: the page's `connect-src` does.
 */

/** `sentBytes` of `totalBytes`, including the multipart framing. */
export type OnProgress = (sentBytes: number, totalBytes: number) => void;

export function fetchWithProgress(onProgress: OnProgress): typeof fetch {
  if (typeof XMLHttpRequest === 'undefined') return fetch;
  return (url, { method = 'GET', headers, body, signal, credentials } = {}) =>
    new Promise((resolve, reject) => {
      signal?.throwIfAborted();
      const request = new XMLHttpRequest();
      request.open(method, String(url));
      request.withCredentials = credentials === 'include';
      new Headers(headers).forEach((value, name) => {
        request.setRequestHeader(name, value);
      });
      request.upload.onprogress = ({ loaded, total }) => onProgress(loaded, total);
      // A proxy may send a status that a `Response` cannot have, such as 999.
      request.onload = () => resolve(new Promise((read) => read(responseOf(request))));
      request.onerror = () => reject(new TypeError('The connection was lost.'));
      request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
      const abort = () => request.abort();
      signal?.addEventListener('abort', abort);
      request.onloadend = () => signal?.removeEventListener('abort', abort);
      request.send(body as XMLHttpRequestBodyInit);
    });
}

function responseOf(request: XMLHttpRequest): Response {
  const contentType = request.getResponseHeader('content-type') ?? 'text/plain';
  const hasNoBody = [204, 205, 304].includes(request.status);
  return new Response(hasNoBody ? null : request.responseText, {
    status: request.status,
    headers: { 'content-type': contentType },
  });
}
