import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyPluginAsync } from 'fastify'
import contract from '../../../../openapi.json' with { type: 'json' }

const zip = promisify(gzip)

const page = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>API - ${contract.info.title}</title>
    <link rel="icon" href="/favicon.svg" />
    <link rel="stylesheet" href="/docs/swagger-ui.css" />
    <style>body { margin: 0 } html.dark-mode { color-scheme: dark }</style>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/start.js"></script>
  </body>
</html>
`

/** With a `validatorUrl`, Swagger UI would send openapi.json to another host. */
const startScript = `const dark = matchMedia('(prefers-color-scheme: dark)')
const followTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches)
dark.addEventListener('change', followTheme)
followTheme()
SwaggerUIBundle({
  url: '/api/v1/openapi.json',
  dom_id: '#swagger-ui',
  deepLinking: true,
  validatorUrl: null,
})
`

/** Reads a built file of Swagger UI from a package that has no install scripts. */
const swaggerFile = (name: string): Buffer =>
  readFileSync(new URL(`static/${name}`, import.meta.resolve('@fastify/swagger-ui')))

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'

/** Serves openapi.json and Swagger UI under the usual content security policy, without files from other hosts. */
export const apiDocs: FastifyPluginAsync = async (app) => {
  app.get('/api/v1/openapi.json', async () => contract)
  serveFile('/docs', html, () => Buffer.from(page))
  serveFile('/docs/start.js', script, () => Buffer.from(startScript))
  serveFile('/docs/swagger-ui.css', css, () => swaggerFile('swagger-ui.css'))
  serveFile('/docs/swagger-ui-bundle.js', script, () => swaggerFile('swagger-ui-bundle.js'))

  /** Reads and compresses a file at its first request, because most servers never get one. */
  function serveFile(url: string, type: string, read: () => Buffer): void {
    let plain: Buffer | undefined
    let zipped: Promise<Buffer> | undefined
    app.get(url, async (request, reply) => {
      reply.type(type).header('cache-control', 'no-cache').header('vary', 'Accept-Encoding')
      plain ??= read()
      if (!/\bgzip\b(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))/.test(request.headers['accept-encoding'] ?? '')) return plain
      zipped ??= zip(plain)
      reply.header('content-encoding', 'gzip')
      return zipped
    })
  }
}
