# syntax=docker/dockerfile:1
# `npm run release` sets the digest of this image.
ARG NODE_IMAGE=node:26.10.0-slim

# No package needs install scripts, and the project's own script only replaces an old Node.
FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/package.json server/
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# These settings of the web application are fixed at build time.
ARG VITE_API_URL=""
ARG VITE_APP_NAME="Steward"
RUN npm run build

FROM ${NODE_IMAGE} AS packages
WORKDIR /app
COPY package.json package-lock.json ./
COPY server/package.json server/
RUN npm ci --omit=dev --ignore-scripts --workspace server

FROM ${NODE_IMAGE}
ARG VITE_APP_NAME="Steward"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data VITE_APP_NAME=${VITE_APP_NAME}
WORKDIR /app
COPY --from=packages /app/node_modules node_modules
COPY package.json openapi.json ./
COPY server server
COPY scripts/load-env.ts scripts/node.cjs scripts/
COPY --from=build /app/dist dist
RUN mkdir /data /backups /secrets && chown node:node /data /backups /secrets
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "server/cli/main.ts", "serve"]
