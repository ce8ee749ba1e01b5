import { msw } from 'msw/vite'
import type { Plugin } from 'vite'

/** Makes the development server start an in-memory back end in the browser, and serve examples at /examples. */
export function mockBackEnd(): Plugin[] {
  return [
    { ...msw({ mode: 'worker-only' }), apply: 'serve' },
    {
      name: 'mock-back-end',
      apply: 'serve',
      config: () => ({ optimizeDeps: { include: ['msw', 'msw/browser', '@faker-js/faker', 'uuid'] } }),
      transformIndexHtml: {
        order: 'pre',
        // The head script would send requests before the back end has started.
        handler: (html, { originalUrl = '' }) => {
          const entry = '<script type="module" src="/src/main.tsx"></script>'
          const page = html.replace(/<!-- head:.*-->/, '')
          if (/^\/examples\/?(\?|$)/.test(originalUrl))
            return page.replace(entry, entry.replace('/src/main.tsx', '/tests/support/browser-examples.tsx'))
          return page.replace(
            entry,
            `<script type="module">
                 await import('/tests/support/browser-backend.ts')
                 await import('/src/main.tsx')
               </script>`,
          )
        },
      },
    },
  ]
}
