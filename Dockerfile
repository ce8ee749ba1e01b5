# syntax=docker/dockerfile:1
FROM node:26-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs install scripts, and the project's own script only replaces an old Node.
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# These settings of the web application are fixed at build time.
ARG VITE_API_URL=""
ARG VITE_APP_NAME="Steward"
RUN npm run build

FROM node:26-slim
ARG VITE_APP_NAME="Steward"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data VITE_APP_NAME=${VITE_APP_NAME}
WORKDIR /app
COPY --from=build /app/package.json /app/openapi.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/server server
COPY --from=build /app/scripts scripts
COPY --from=build /app/dist dist
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "server/cli/main.ts", "serve"]
