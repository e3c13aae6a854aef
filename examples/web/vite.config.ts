import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig, loadEnv, type ProxyOptions } from 'vite';

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
      alias: {
        '@folio/client': fileURLToPath(new URL('../../packages/client/src/index.ts', import.meta.url)),
      },
      dedupe: ['graphql', 'graphql-ws'],
    },
    server: { proxy },
    preview: { proxy },
    build: { target: 'es2024', sourcemap: false },
  };
});
