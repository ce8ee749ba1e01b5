import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyInstance } from 'fastify'
import contract from '../../openapi.json' with { type: 'json' }

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

/** Without a validator: that would be a call to another host. */
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

/** Of Swagger UI what the page needs: the package brings it built, and without anything that runs on installation. */
const swaggerFile = (name: string): string =>
  readFileSync(new URL(`static/${name}`, import.meta.resolve('@fastify/swagger-ui')), 'utf8')

const html = 'text/html; charset=utf-8'
const css = 'text/css; charset=utf-8'
const script = 'text/javascript; charset=utf-8'

/** The contract as a file, and a page to read it and to try it: everything from this server, under its usual policy. */
export function serveApiDocs(app: FastifyInstance): void {
  app.get('/api/v1/openapi.json', async () => contract)
  serveText('/docs', html, () => page)
  serveText('/docs/start.js', script, () => startScript)
  serveText('/docs/swagger-ui.css', css, () => swaggerFile('swagger-ui.css'))
  serveText('/docs/swagger-ui-bundle.js', script, () => swaggerFile('swagger-ui-bundle.js'))

  /** Read and compressed when it is first asked for: most servers are never asked. */
  function serveText(url: string, type: string, read: () => string): void {
    let zipped: Promise<Buffer> | undefined
    app.get(url, async (request, reply) => {
      reply.type(type).header('cache-control', 'no-cache').header('vary', 'Accept-Encoding')
      if (!/\bgzip\b/.test(request.headers['accept-encoding'] ?? '')) return read()
      zipped ??= zip(read())
      reply.header('content-encoding', 'gzip')
      return zipped
    })
  }
}
