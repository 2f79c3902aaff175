# The build's output is JavaScript, the same for every platform, so it is built once, on the builder's own platform.
FROM --platform=${BUILDPLATFORM:-linux/amd64} node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Dependencies only: sources change more often, so they come in a later layer.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image has no env(1).
RUN npm run build && sed -i '1s|.*|#!/usr/local/bin/node|' dist/kredo.js

# Node and the libraries it loads, for the image's platform; no shell, no package manager. The libraries' Debian packages are listed
# where scanners look for them, as in distroless images.
FROM node:24-bookworm-slim AS runtime
RUN set -eu; \
    mkdir -p /image/etc /image/app /image/config /image/var/lib/dpkg/status.d; \
    install -d -m 1777 /image/tmp /image/data; \
    cp -L --parents /usr/local/bin/node $(ldd /usr/local/bin/node | grep -o '/[^ ]*') /image; \
    ln -s /app/dist/kredo.js /image/usr/local/bin/kredo; \
    for library in $(ldd /usr/local/bin/node | grep -o '/[^ ]*'); do \
      package=$(dpkg -S "*/${library##*/}" | cut -d: -f1 | head -n 1); \
      dpkg -s "$package" > "/image/var/lib/dpkg/status.d/$package"; \
    done; \
    cp -L /etc/os-release /image/etc/; \
    echo 'hosts: files dns' > /image/etc/nsswitch.conf; \
    echo 'node:x:1000:1000::/tmp:/sbin/nologin' > /image/etc/passwd; \
    echo 'node:x:1000:' > /image/etc/group

# The code that a start and an order compile, so that each container starts as fast as the second start elsewhere. Node keeps it for each
# user and kind of processor; where it does not fit, the start is as without it.
FROM node:24-bookworm-slim AS compiled
COPY --from=build /app/package.json /app/
COPY --from=build /app/dist /app/dist
COPY --from=build /app/scenarios /app/scenarios
RUN install -d -o 1000 -g 1000 /app/cache
USER 1000:1000
ENV NODE_COMPILE_CACHE=/app/cache
RUN set -eu; cd /app; \
    node dist/kredo.js serve --port 0 > /tmp/log & sandbox=$!; \
    while kill -0 "$sandbox" && ! grep -q Ready. /tmp/log; do sleep 0.1; done; \
    export KREDO_URL="$(sed -n 's/^Kredo sandbox *//p' /tmp/log)"; \
    node dist/kredo.js ready; \
    node dist/kredo.js send airtime 254712345678 10; \
    kill "$sandbox"; wait "$sandbox"; \
    chmod -R a+rX,a-w cache

FROM scratch
COPY --from=runtime /image /
# The bundle contains its dependencies, so nothing is installed here.
COPY --from=build /app/package.json /app/LICENSE /app/
COPY --from=compiled /app/cache /app/cache
COPY --from=build /app/dist /app/dist
COPY --from=build /app/scenarios /app/scenarios
COPY --from=build /app/schema/openapi.json /app/schema/
COPY --from=build /app/docs/*.md /app/docs/
LABEL org.opencontainers.image.title="Kredo" \
      org.opencontainers.image.description="A local sandbox for prepaid airtime and SMS gateways in Kenya" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
ENV PATH=/usr/local/bin NODE_ENV=production KREDO_HOST=0.0.0.0 KREDO_IMAGE=1 NODE_COMPILE_CACHE=/app/cache
# Under load, Node's young generation would take up to 60 MB more, for no processor time.
ENV NODE_OPTIONS=--max-semi-space-size=16
# Kredo finds kredo.config.yaml here. Paths of scenario files are relative to this folder.
WORKDIR /config
USER 1000:1000
EXPOSE 8254 8255
STOPSIGNAL SIGTERM
# Each check starts a process, so it is frequent only while the sandbox starts. Docker before 25 refuses --start-interval: build with a newer
# one, or leave it out here and write --interval=5s.
HEALTHCHECK --interval=30s --timeout=3s --start-period=30s --start-interval=1s --retries=3 CMD ["kredo", "ready"]
ENTRYPOINT ["kredo"]
