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
    server: { proxy },
    preview: { proxy },
    build: { target: 'es2024', sourcemap: false },
  };
});
