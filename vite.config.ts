import tailwindcss from '@tailwindcss/vite'
import { tanstackRouter } from '@tanstack/router-plugin/vite'
import react from '@vitejs/plugin-react'
import { defineConfig, loadEnv } from 'vite'
import { compression } from 'vite-plugin-compression2'

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
      }),
      react(),
      tailwindcss(),
      // The server hands these out as they are; it compresses nothing itself.
      compression({ algorithms: ['gzip', 'brotliCompress'], threshold: 500, skipIfLargerOrEqual: true }),
    ],
    resolve: { tsconfigPaths: true },
    server: { proxy: { '/api': api, '/docs': api } },
  }
})
