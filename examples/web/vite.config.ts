import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type ProxyOptions } from 'vite';

const clientSource = (name: string) =>
  `${fileURLToPath(new URL('../../packages/client/src/', import.meta.url))}${name}`;

export default defineConfig(({ mode }) => {
  const { FOLIO_GATEWAY: target = 'http://127.0.0.1:4000', FOLIO_SANDBOX: sandbox } = loadEnv(
    mode,
    '.',
    'FOLIO_',
  );
  // The gateway accepts a WebSocket from a page of its own host only, so the Host header must not change.
  const proxy: Record<string, ProxyOptions> = { '/graphql': { target, ws: true, changeOrigin: false } };
  if (sandbox) proxy['/sandbox/'] = { target: sandbox };
  return {
    plugins: [react()],
    // In this repository the package is source; an application of its own installs it.
    resolve: {
      alias: [
        { find: '@folio/client/texts.json', replacement: clientSource('texts/texts.json') },
        { find: /^@folio\/client$/, replacement: clientSource('index.ts') },
        { find: /^@folio\/client\/(\w+)$/, replacement: clientSource('$1.ts') },
      ],
      dedupe: ['graphql', 'graphql-ws', 'react'],
    },
    server: { proxy },
    preview: { proxy },
    build: { target: 'es2024', sourcemap: false },
  };
});
