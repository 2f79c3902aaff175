FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# Without scripts: the build below needs the sources, which change more often than the dependencies.
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
RUN npm run build

FROM node:24-bookworm-slim
WORKDIR /app
# The bundle carries its dependencies; nothing is installed here.
COPY --from=build /app/package.json ./
COPY --from=build /app/dist ./dist
COPY --from=build /app/scenarios ./scenarios
ENV NODE_ENV=production KREDO_HOST=0.0.0.0 KREDO_IMAGE=1
USER node
EXPOSE 8254
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=3s --start-period=10s --retries=3 CMD ["node", "/app/dist/kredo.js", "ready"]
ENTRYPOINT ["node", "/app/dist/kredo.js"]
