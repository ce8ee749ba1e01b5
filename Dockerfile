# syntax=docker/dockerfile:1
# `npm run release` sets the digest of this image.
ARG NODE_IMAGE=node:26.10.0-slim

FROM ${NODE_IMAGE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
# No package needs install scripts, and the project's own script only replaces an old Node.
RUN npm ci --omit=dev --ignore-scripts
COPY . .
# These settings of the web application are fixed at build time.
ARG VITE_API_URL=""
ARG VITE_APP_NAME="Steward"
RUN npm run build
# The packages that only the web application and its build need. tests/image.test.ts checks the list.
RUN npm uninstall --ignore-scripts --omit=dev --no-audit --no-fund \
  @fontsource-variable/geist @hookform/resolvers @radix-ui/react-dialog @radix-ui/react-dropdown-menu \
  @radix-ui/react-tabs @simplewebauthn/browser @tailwindcss/vite @tanstack/react-query @tanstack/react-router \
  @tanstack/react-store @tanstack/router-plugin @vitejs/plugin-react clsx lucide-react next-themes papaparse react \
  react-dom react-hook-form sonner tailwindcss uqr vite vite-plugin-compression2

FROM ${NODE_IMAGE}
ARG VITE_APP_NAME="Steward"
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8000 DATA_DIR=/data VITE_APP_NAME=${VITE_APP_NAME}
WORKDIR /app
COPY --from=build /app/package.json /app/openapi.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/server server
COPY --from=build /app/scripts/load-env.ts scripts/load-env.ts
COPY --from=build /app/dist dist
RUN mkdir /data /backups /secrets && chown node:node /data /backups /secrets
USER node
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=8", "server/cli/main.ts", "serve"]
