# The build's output is JavaScript, the same for every platform, so it is built once, on the builder's own.
FROM --platform=${BUILDPLATFORM:-linux/amd64} node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: the build below needs the sources, which change more often than the dependencies.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# There is no env(1) in the image.
RUN npm run build && sed -i '1s|.*|#!/usr/local/bin/node|' dist/kredo.js

# Node and the libraries that it loads, of the platform that the image is for; no shell, no package manager. Scanners find the
# Debian packages that the libraries are from where distroless images have them.
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

FROM scratch
COPY --from=runtime /image /
# The bundle carries its dependencies; nothing is installed here.
COPY --from=build /app/package.json /app/LICENSE /app/
COPY --from=build /app/dist /app/dist
COPY --from=build /app/scenarios /app/scenarios
LABEL org.opencontainers.image.title="Kredo" \
      org.opencontainers.image.description="A local sandbox for prepaid airtime and SMS gateways in Kenya" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="0.1.0" \
      org.opencontainers.image.base.name="docker.io/library/node:24-bookworm-slim"
ENV PATH=/usr/local/bin NODE_ENV=production KREDO_HOST=0.0.0.0 KREDO_IMAGE=1
# Here kredo.config.yaml is found by itself, and scenario files by their paths from here.
WORKDIR /config
USER 1000:1000
EXPOSE 8254 8255
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=3s --timeout=3s --start-period=10s --retries=3 CMD ["kredo", "ready"]
ENTRYPOINT ["kredo"]
