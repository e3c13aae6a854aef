# Node and the bundle of `npm run build`, without a shell, npm, packages or source. The version of Node is package.json's.
# Base images are referenced by tag. To pin them, append the digest
# that `docker buildx imagetools inspect <image>` prints, as in name:tag@sha256:….
FROM node:26.10.0-trixie-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY src ./src
COPY scripts ./scripts
# GraphiQL shows them as tabs.
COPY examples/operations ./examples/operations
# GraphiQL links to it when the sandbox is in use.
COPY docs/sandbox.md ./docs/sandbox.md
RUN npm run build
# Node needs libatomic, the one library that the image below does not have.
RUN mkdir /libraries && cp /usr/lib/*-linux-gnu/libatomic.so.1 /libraries/

FROM gcr.io/distroless/cc-debian13:nonroot
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0
# glibc returns freed blocks of 128 KiB and more to the system: it would keep 100 MB after large responses.
ENV MALLOC_MMAP_THRESHOLD_=131072
COPY --from=build /libraries/ /usr/lib/
COPY --from=build /usr/local/bin/node /usr/local/bin/node
COPY --from=build /app/dist ./
USER 65532:65532
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=5s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + (Number(process.env.METRICS_PORT) || process.env.PORT || 4000) + '/health', { signal: AbortSignal.timeout(4000) }).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# SIGTERM starts the drain, which takes up to SHUTDOWN_GRACE_MS (35 s unless set): give the container longer
# to stop than that and 3 s, e.g. `docker run --stop-timeout 40` or Compose's `stop_grace_period: 40s`.
STOPSIGNAL SIGTERM
CMD ["node", "main.js"]
