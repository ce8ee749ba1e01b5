import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { defineConfig, loadEnv, normalizePath, type Plugin, type Rolldown } from 'vite'
import { compression } from './scripts/compress.ts'
import { spaHtml } from './scripts/spa-html.ts'

const MAX_RESTART_MS = 15_000
const RETRY_MS = 50

/** What guests and signed-in people share, besides what src/main.tsx imports. */
const shared =
  /src\/(client\/schemas|data\/(?!webauthn|live|provider-errors)|browser\/|lib\/(?!validation)|components\/ui\/(?!tabs))|\/use(Mutation|Blocker)\./

/**
 * The files of code besides `entry`: docs/decisions/0019-what-loads-when.md. A module is in the first that names it or
 * something that imports it. Other code that is loaded lazily has files of its own.
 */
const files = {
  forms: /src\/components\/form\/(use-form|fields)\./,
  guest: /src\/features\/auth\//,
  // Those that people see first.
  pages:
    /src\/(features\/(shell\/layout|(?!settings)[\w-]+\/\w+s-page)|components\/(list\/|combobox|section|panel|time))/,
  dashboard: /src\/features\/(dashboard\/|audit\/recent-activity)/,
  settings: /src\/(features\/settings\/|components\/(dialog\/|ui\/tabs))/,
  audit: /src\/features\/audit\/audit-page/,
  account: /src\/features\/(ways-in\/|users\/user-page)/,
  dialogs: /src\/(features\/[\w-]+\/(dialogs\/|[\w-]+-dialogs)|components\/radix-menu)/,
}

const groups = [
  {
    name: (id: string, graph: Rolldown.ChunkingContext) =>
      shared.test(id) || importedBy(normalizePath(resolve('src/main.tsx')), graph).has(id) ? 'entry' : null,
    debugName: 'entry',
    priority: 8,
  },
  ...Object.entries(files).map(([name, test], index) => ({ name, test, priority: 7 - index })),
]

const imported = new Set<string>()

/** The modules that a module imports statically, directly or not. */
function importedBy(id: string, graph: Rolldown.ChunkingContext): ReadonlySet<string> {
  if (!imported.has(id)) {
    imported.add(id)
    for (const next of graph.getModuleInfo(id)?.importedIds ?? []) importedBy(next, graph)
  }
  return imported
}

/** Makes V8 compile code other than the entry on load instead of on first use. The hint must be the first line. */
const compileHint = ({ name }: Rolldown.RenderedChunk) => (name === 'entry' ? '' : '//# allFunctionsCalledOnLoad')

/** Holds requests to the API while the server restarts after a change. */
function waitForApi(api: string): Plugin {
  /** True while the server drains or does not listen. A 503 with `Retry-After` is a failure. */
  async function isRestarting(): Promise<boolean> {
    const response = await fetch(`${api}/readyz`).catch(() => undefined)
    return response === undefined || (response.status === 503 && !response.headers.has('retry-after'))
  }
  async function hold(next: () => void): Promise<void> {
    const end = performance.now() + MAX_RESTART_MS
    while (performance.now() < end && (await isRestarting())) await sleep(RETRY_MS)
    next()
  }
  return {
    name: 'wait-for-api',
    configureServer: ({ middlewares }) => void middlewares.use('/api', (_request, _response, next) => void hold(next)),
  }
}

export default defineConfig(({ mode }) => {
  // The settings of the developer must not affect tests.
  const isTest = mode === 'test'
  const env = isTest ? {} : loadEnv(mode, process.cwd(), '')
  // Set here, so that index.html and the modules have the same default.
  process.env.VITE_APP_NAME = env.VITE_APP_NAME || 'Steward'
  const api = `http://127.0.0.1:${Number(env.PORT || 8000)}`
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
      waitForApi(api),
      compression(),
    ],
    envDir: isTest ? false : process.cwd(),
    resolve: { tsconfigPaths: true },
    build: {
      // tests/e2e/weight.spec.ts limits what pages load.
      chunkSizeWarningLimit: 1000,
      modulePreload: {
        polyfill: false,
        // Otherwise, a list of files to preload takes the first line of a file, where V8 expects the hint.
        resolveDependencies: (_file, dependencies) => dependencies.filter((name) => name.endsWith('.css')),
      },
      rolldownOptions: { output: { codeSplitting: { groups }, postBanner: compileHint } },
    },
    server: { proxy: { '/api': api, '/docs': api } },
  }
})
