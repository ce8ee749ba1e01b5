import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { waitForPort } from './scripts/ports.ts'
import { spaHtml } from './scripts/spa-html.ts'

const MAX_RESTART_MS = 15_000

/**
 * Groups of modules that load together, each with what it imports: docs/decisions/0019-what-loads-when.md. A module is in
 * the group of the highest priority. Each page is a file of its own.
 */
const groups = [
  { name: 'entry', tags: ['$initial' as const], priority: 7 },
  // What forms and the shell share.
  {
    name: 'common',
    test: /src\/(lib\/(?!validation|webauthn|api\/use-)|components\/ui\/(?!tabs|toaster))/,
    priority: 7,
  },
  { name: 'forms', test: /src\/(components\/form|lib\/validation)\//, priority: 6 },
  { name: 'guest', test: /src\/features\/auth\/[\w-]+\.tsx?$/, priority: 5 },
  { name: 'tabs', test: /src\/components\/ui\/tabs/, priority: 4 },
  { name: 'shell', test: /src\/(features\/shell\/|components\/|lib\/api\/use-)[\w-]+\.tsx?$/, priority: 3 },
  { name: 'list', test: /src\/components\/list\/(?!selection-bar)/, priority: 2 },
  // A file for each feature, without its dialogs.
  {
    name: (id: string) => /features\/([\w-]+)/.exec(id)?.[1],
    debugName: 'features',
    test: /src\/features\/[\w-]+\/[\w-]+\.tsx?$/,
    priority: 1,
  },
  {
    name: 'second-step',
    test: /src\/(components\/second-factor\/(?!qr-code)|features\/auth\/second-step\/)/,
    priority: 1,
  },
  { name: 'webauthn', test: /src\/lib\/webauthn/, priority: 1 },
  // What only a press or an event shows.
  { name: 'interaction', test: /src\/(components\/lazy\/interaction-code|features\/[\w-]+\/dialogs\/)/, priority: 0 },
]

/** Makes V8 compile code other than the entry on load instead of on first use. The hint must be the first line. */
const compileHints: Plugin = {
  name: 'compile-hints',
  enforce: 'post',
  generateBundle: {
    order: 'post',
    handler(_options, bundle) {
      for (const file of Object.values(bundle))
        if (file.type === 'chunk' && !file.isEntry) file.code = `//# allFunctionsCalledOnLoad\n${file.code}`
    },
  },
}

/** Holds requests while the server restarts after a change. */
function waitForApi(port: number): Plugin {
  async function hold(next: () => void): Promise<void> {
    await waitForPort(port, MAX_RESTART_MS)
    next()
  }
  return {
    name: 'wait-for-api',
    configureServer: ({ middlewares }) => void middlewares.use('/api', (_request, _response, next) => void hold(next)),
  }
}

export default defineConfig(({ mode }) => {
  // Tests do not depend on the settings of who runs them.
  const isTest = mode === 'test'
  const env = isTest ? {} : loadEnv(mode, process.cwd(), '')
  // Here, so that index.html and the modules see the same default.
  process.env.VITE_APP_NAME = env.VITE_APP_NAME || 'Steward'
  const port = Number(env.PORT || 8000)
  const api = `http://127.0.0.1:${port}`
  return {
    plugins: [
      tanstackRouter({
        target: 'react',
        generatedRouteTree: './src/route-tree.gen.ts',
        routeFileIgnorePattern: '\\.test\\.tsx$',
        quoteStyle: 'single',
      }),
      react(),
      tailwindcss(),
      spaHtml(),
      compileHints,
      waitForApi(port),
      // The server sends these files, and compresses nothing itself.
      compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 500, skipIfLargerOrEqual: true }),
    ],
    envDir: isTest ? false : process.cwd(),
    resolve: { tsconfigPaths: true },
    build: {
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
    server: { proxy: { '/api': api, '/docs': api } },
  }
})
