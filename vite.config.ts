import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv, type Plugin } from 'vite'
import { compression } from 'vite-plugin-compression2'
import { spaHtml } from './scripts/spa-html.ts'

/** Groups code that loads together in one file, with what it imports: docs/decisions/0019-what-loads-when.md. */
const groups = [
  // For every page.
  { name: 'entry', tags: ['$initial' as const], priority: 4 },
  // For pages and dialogs with a form.
  {
    name: 'forms',
    priority: 3,
    test: /src\/(components\/form\/(?!checkbox-field|form-dialog|unsaved-changes)|features\/auth\/auth-page|lib\/(validation|to-body))/,
  },
  // For menus, dialogs and tabs, and for what asks before a form is left.
  {
    name: 'radix',
    priority: 2,
    test: /form\/unsaved-changes|@radix-ui\/react-(presence|roving-focus)/,
  },
  // For every signed-in page.
  {
    name: 'shell',
    priority: 2,
    test: /src\/(features\/shell\/(?!wanted-page)|components\/(page-header|time-ago|use-address-dialog))/,
  },
  // For every page with a list.
  {
    name: 'list',
    priority: 1,
    test: /src\/components\/(list-page|text-link|ui\/(badge|checkbox))\.ts/,
  },
  // The list of users and a user's page share some cells.
  { name: 'users', priority: 1, test: /src\/features\/users\/user(s-page|-cells)/ },
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

export default defineConfig(async ({ mode }) => {
  const env = loadEnv(mode, process.cwd(), '')
  // Here, so that index.html and the modules see the same default.
  process.env.VITE_APP_NAME = env.VITE_APP_NAME || 'Steward'
  const isMock = mode === 'mock'
  const api = `http://127.0.0.1:${env.PORT || 8000}`
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
      // Imported only then: a build needs no development dependencies.
      ...(isMock ? (await import('./scripts/mock-back-end.ts')).mockBackEnd() : []),
      compileHints,
      // The server sends these files, and compresses nothing itself.
      compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 500, skipIfLargerOrEqual: true }),
    ],
    resolve: { tsconfigPaths: true },
    build: {
      modulePreload: { polyfill: false },
      rolldownOptions: { output: { codeSplitting: { groups } } },
    },
    server: isMock ? {} : { proxy: { '/api': api, '/docs': api } },
  }
})
