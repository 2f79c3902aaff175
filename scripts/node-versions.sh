#!/usr/bin/env bash
# node-versions.sh [20 22 24 26] [-- FLAG...]: `npm ci && npm test` of the last commit on each of these Node versions, from the npm registry. The
# flags are for vitest.
set -euo pipefail
cd "$(dirname "$0")/.."
versions=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do versions+=("$1"); shift; done
[ ${#versions[@]} -gt 0 ] || versions=(20 22 24 26)
[ $# -eq 0 ] || shift
cache=${KREDO_NODE_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/kredo-node-versions}
binary=node-$(node -p 'process.platform + "-" + process.arch')
for major in "${versions[@]}"; do
  home=$cache/$major package=$cache/$major/node_modules/$binary
  if [ ! -x "$package/bin/node" ]; then
    mkdir -p "$home"; echo '{"private":true}' >"$home/package.json"
    (cd "$home" && npm i --no-save --no-package-lock --ignore-scripts --no-audit --no-fund --loglevel=error "$binary@$major" npm@11) ||
      { echo "Missing: Node $major, which the npm registry has as $binary@$major." >&2; exit 1; }
  fi
  ln -sf ../../npm/bin/npm-cli.js "$package/bin/npm"; ln -sf ../../npm/bin/npx-cli.js "$package/bin/npx"
  work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
  git archive HEAD | tar x -C "$work"
  # nodedir: a user's .npmrc may name the headers of another version.
  (cd "$work" && export PATH=$package/bin:$PATH npm_config_nodedir=$package \
    && echo "== node $(node -v)" && npm ci --prefer-offline --no-audit --no-fund >/dev/null && npm test -- "$@")
  rm -rf "$work"
done
