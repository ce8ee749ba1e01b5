import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { spaHtml } from './scripts/spa-html.ts'

/** What is loaded together is one file: a request more costs more than the bytes that it saves (docs/decisions/0019). */
const groups = [
  // What every page needs first, and the pages that people come to first.
  { name: 'entry', tags: ['$initial' as const], priority: 4 },
  { name: 'entry', test: /rolldown\/runtime/, priority: 4 },
  // The form library and the schemas.
  {
    name: 'forms',
    test: /node_modules\/(react-hook-form|zod|@hookform)|src\/(components\/form\/(?!form-dialog)|lib\/validation)/,
    priority: 1,
  },
  // What a form that changes what exists saves with, whether or not it is one of the library's.
  {
    name: 'saving',
    priority: 2,
    test: /src\/(components\/form\/(conflict-notice|use-(guarded-save|kept-form))|lib\/api\/save-over)\.tsx?$/,
  },
  // What menus and dialogs share.
  {
    name: 'radix',
    test: /@radix-ui\/(primitive|react-(collection|compose-refs|context|direction|id|presence|primitive|roving-focus|slot|use-))/,
  },
  // What the shell and its pages share. What one of them alone shows, as an icon, comes with it.
  {
    name: 'pages',
    priority: 3,
    minShareCount: 2,
    test: /lucide-react|src\/(components\/(alert|data-table|paged-list|page-header|row-menu|menu|on-demand|use-dialog)|lib\/use-media)\.tsx?$/,
  },
]

/**
 * What comes after the entry is compiled as it comes, in the background, and not by the press that wants it: a hint for V8, which
 * has to stand first in the file, also before what Vite itself puts there.
 */
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

/** Routes that come with the entry. */
const entryRoutes = new Set(['/_auth', '/_layout/'])

export default defineConfig(({ mode }) => {
  const env = loadEnv(mode, process.cwd(), '')
  // Here, so that index.html and the modules see the same default.
  process.env.VITE_APP_NAME = env.VITE_APP_NAME || 'Steward'
  const api = `http://127.0.0.1:${env.PORT || 8000}`
  return {
    plugins: [
      tanstackRouter({
        target: 'react',
        autoCodeSplitting: true,
        generatedRouteTree: './src/route-tree.gen.ts',
        routeFileIgnorePattern: '\\.test\\.tsx$',
        quoteStyle: 'single',
        codeSplittingOptions: { splitBehavior: ({ routeId }) => (entryRoutes.has(routeId) ? [] : undefined) },
      }),
      react(),
      tailwindcss(),
      spaHtml(),
      compileHints,
      // The server hands these out as they are; it compresses nothing itself.
      compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 500, skipIfLargerOrEqual: true }),
    ],
    resolve: { tsconfigPaths: true },
    build: {
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
    server: { proxy: { '/api': api, '/docs': api } },
  }
})
