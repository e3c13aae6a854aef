FROM node:26-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The optional packages are Node itself, which the image has.
RUN npm ci --omit=dev --omit=optional --no-audit --no-fund

FROM node:26-slim
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
COPY --from=dependencies /app/node_modules ./node_modules
COPY package.json ./
COPY src ./src
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (process.env.PORT || 4000) + '/health', { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM starts the drain, which takes up to SHUTDOWN_GRACE_MS (35 s unless set): give the container longer
# to stop than that, e.g. `docker run --stop-timeout 40` or Compose's `stop_grace_period: 40s`.
STOPSIGNAL SIGTERM
CMD ["node", "src/main.ts"]
