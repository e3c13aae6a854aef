/**
 * `fetch` for an upload that reports progress (0 to 1), which browsers report only for XMLHttpRequest.
 * Accepts what urql passes: a body, a plain record of headers, a signal.
 */
export function fetchWithProgress(onProgress: (sent: number) => void): typeof fetch {
  return (address, { method = 'GET', headers = {}, body, signal } = {}) =>
    new Promise((resolve, reject) => {
      const request = new XMLHttpRequest();
      request.open(method, String(address));
      request.responseType = 'blob';
      for (const [name, value] of new Headers(headers)) request.setRequestHeader(name, value);
      request.upload.onprogress = ({ loaded, total }) => onProgress(total > 0 ? loaded / total : 1);
      request.upload.onload = () => onProgress(1);
      request.onload = () => {
        const type = request.getResponseHeader('content-type');
        resolve(
          new Response(request.response, {
            status: request.status,
            statusText: request.statusText,
            headers: type === null ? {} : { 'content-type': type },
          }),
        );
      };
      request.onerror = () => reject(new TypeError('The connection was lost.'));
      request.onabort = () => reject(new DOMException('The upload was cancelled.', 'AbortError'));
      signal?.addEventListener('abort', () => request.abort());
      request.send(body as XMLHttpRequestBodyInit | null | undefined);
    });
}
