#!/usr/bin/env bash
# Starts compose.yaml with podman and sends it a query, keyed writes, an upload, an event stream and a WebSocket through
# nginx, and writes while one gateway is restarted. Run scripts/image-check.sh first: it builds the image.
#
#     sudo bash scripts/compose-check.sh
#
# Needs Debian with the packages podman, podman-compose, runc, netavark, iptables, aardvark-dns and mmdebstrap, and root. An
# image that cannot be pulled is replaced by one made from Debian's packages, with the name that compose.yaml uses.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
project=foliocheck
services=(redis service folio-1 folio-2 folio-3 balancer)
subnet=10.89.77
export CONTAINERS_CONF=$work/containers.conf

cleanup() {
  for service in "${services[@]}"; do podman rm --force --time 1 "${project}_${service}_1" >/dev/null 2>&1 || true; done
  for network in edge state upstream observability; do podman network rm --force "${project}_$network" >/dev/null 2>&1 || true; done
  podman volume rm --force "${project}_redis" "${project}_prometheus" >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap cleanup EXIT

cat >"$CONTAINERS_CONF" <<EOF
[engine]
runtime = "runc"
cgroup_manager = "cgroupfs"
[network]
network_backend = "netavark"
EOF

# --- Images

make_image() { # name, suite, package, folder of uid 999, settings of buildah
  local name=$1 suite=$2 package=$3 folder=$4 made
  shift 4
  # The index of Debian testing may be older than apt accepts; it is signed all the same.
  mmdebstrap --quiet --variant=minbase --aptopt='Acquire::Check-Valid-Until "false"' --include="$package" "$suite" "$work/root"
  made=$(buildah from scratch)
  buildah copy --quiet "$made" "$work/root" / >/dev/null
  install -d -o 999 -g 1000 "$(buildah mount "$made")$folder"
  buildah config "$@" "$made"
  buildah commit --quiet --rm "$made" "$name" >/dev/null
  rm -rf "$work/root"
}
has() { podman image exists "$1" || timeout 60 podman pull --quiet "$1" >/dev/null 2>&1; }
redis=docker.io/library/$(sed -n 's/^    image: \(redis:.*\)$/\1/p' compose.yaml)
nginx=docker.io/$(sed -n 's/^    image: \(nginxinc\/.*\)$/\1/p' compose.yaml)
has "$redis" || make_image "$redis" trixie redis-server /data --workingdir /data
has "$nginx" || make_image "$nginx" forky nginx /srv --user 101 --cmd "nginx -g 'daemon off;'"
for service in service folio-1 folio-2 folio-3; do podman tag localhost/folio-check "localhost/${project}_$service"; done

# --- Start

# Podman's name server has the address of the network's gateway. podman-compose reads an empty default as text. The limits are
# those of the caller: raising them needs a privilege that a container host may not give.
mkdir "$work/ops"
sed "s/resolver 127.0.0.11 /resolver $subnet.1 /" ops/nginx.conf >"$work/ops/nginx.conf"
sed "s/\${OTEL_EXPORTER_OTLP_ENDPOINT:-}//; s/ulimits: { core: 0 }/ulimits: { core: 0, nofile: $(ulimit -Hn), nproc: 1000 }/" \
  compose.yaml >"$work/compose.yaml"
cp ops/*.yaml ops/*.json "$work/ops/"
podman network create --subnet "$subnet.0/24" "${project}_edge" >/dev/null
LANE_SECRET=$(openssl rand -hex 32)
REDIS_PASSWORD=$(openssl rand -hex 32)
export LANE_SECRET REDIS_PASSWORD
# podman-compose exits with 0 also when a container has not started: that is a line of its output.
if ! (cd "$work" && podman-compose -p "$project" up -d --no-build "${services[@]}") >"$work/up.log" 2>&1 ||
  grep -q '^Error: unable to start' "$work/up.log"; then
  tail -20 "$work/up.log"
  exit 1
fi

# --- Requests, from the network of the balancer

cat >"$work/requests.mjs" <<'EOF'
import assert from 'node:assert';
const url = 'http://balancer:8080/graphql';
const credentials = { [process.env.KEY_HEADER]: 'demo-key', authorization: 'Bearer demo-token' };
const json = { ...credentials, 'content-type': 'application/json' };
const post = (body, headers = json) => fetch(url, { method: 'POST', headers, body });
const run = async (query) => await (await post(JSON.stringify({ query }))).json();
const write = (key) => run(`mutation { createGroup(input: { name: "g"${key} }) { ... on Group { id } } }`);
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

for (let tries = 0; ; tries += 1) {
  const { data } = await write(', idempotencyKey: "first-key-of-check"').catch(() => ({}));
  if (data?.createGroup?.id) break;
  assert(tries < 100, 'no keyed write succeeds');
  await pause(100);
}
const { data } = await run('{ mexicoValidation(by: { documentId: "1001" }) { result } }');
assert.equal(data.mexicoValidation.result, 'VALID');
console.log('ok      query');

const ids = [];
for (let times = 0; times < 6; times += 1) ids.push((await write(', idempotencyKey: "one-key-of-check"')).data.createGroup.id);
assert.equal(new Set(ids).size, 1);
console.log('ok      one write for six requests with one key');

const form = new FormData();
const scan = 'mutation ($file: Upload!) { scanIdentityCard(input: { file: $file, queueId: "7" }) { ... on ScanResult { status } } }';
form.append('operations', JSON.stringify({ query: scan, variables: { file: null } }));
form.append('map', '{"0":["variables.file"]}');
form.append('0', new Blob([new Uint8Array(20e6)]), 'card.png');
const scanned = await (await post(form, { ...credentials, 'x-graphql-yoga-csrf': '1' })).json();
assert.equal(scanned.data.scanIdentityCard.status, 'COMPLETED');
console.log('ok      upload of 20 MB');

const events = await post(JSON.stringify({ query: '{ __typename }' }), { ...json, accept: 'text/event-stream' });
assert.match(await events.text(), /event: next\ndata: {"data":{"__typename":"Query"}}/);
console.log('ok      event stream');

const socket = new WebSocket(url.replace('http', 'ws'), 'graphql-transport-ws');
await new Promise((resolve, reject) => {
  const send = (message) => socket.send(JSON.stringify(message));
  socket.onopen = () => send({ type: 'connection_init', payload: credentials });
  socket.onerror = reject;
  socket.onmessage = ({ data }) => {
    const { type } = JSON.parse(data);
    if (type === 'connection_ack') send({ id: '1', type: 'subscribe', payload: { query: '{ __typename }' } });
    if (type === 'complete') resolve();
  };
});
socket.close();
console.log('ok      WebSocket');

console.log('load');
const results = { value: 0, refused: 0, lost: 0 };
for (const end = Date.now() + 15_000; Date.now() < end; await pause(30)) {
  const { data, errors } = await write('').catch(() => ({}));
  if (data?.createGroup?.id) results.value += 1;
  else if (errors?.[0].extensions.sideEffect === 'NONE') results.refused += 1;
  else results.lost += 1;
}
console.log(`        ${results.value} writes, ${results.refused} refused, ${results.lost} lost`);
assert(results.value > 100 && results.lost + results.refused < results.value / 10);
console.log('ok      writes while a gateway is restarted');
EOF

show_logs() {
  for service in "${services[@]}"; do podman logs --tail 5 "${project}_${service}_1" 2>&1 | sed "s/^/$service: /" | cut -c1-300; done
}
key_header=$(sed -n "s/^  apiKey: '\(.*\)',$/\1/p" src/caller.ts)
podman exec --interactive --env "KEY_HEADER=$key_header" "${project}_folio-1_1" node --input-type=module <"$work/requests.mjs" | while read -r line; do
  printf '%s\n' "$line"
  if [ "$line" = load ]; then podman restart --time 40 "${project}_folio-2_1" >/dev/null 2>&1 & fi
done || { show_logs; exit 1; }
