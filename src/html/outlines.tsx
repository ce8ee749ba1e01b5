import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { createMemoryHistory, RouterProvider } from '@tanstack/react-router'
import { renderToStaticMarkup } from 'react-dom/server'
import { ShellOutline } from '../features/shell/shell-outline'
import { createAppRouter } from '../router'

// Runs in the build alone (scripts/spa-html.ts), where nobody is signed in.
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => null } })

/** What a page looks like before its code has come, by the name that src/html/head.ts gives it. */
export async function renderOutlines(guestPaths: readonly string[]): Promise<Record<string, string>> {
  const outlines: Record<string, string> = {
    expanded: renderToStaticMarkup(<ShellOutline expanded />),
    collapsed: renderToStaticMarkup(<ShellOutline expanded={false} />),
  }
  for (const path of guestPaths) outlines[path] = toPicture(await renderPage(path))
  return outlines
}

async function renderPage(path: string): Promise<string> {
  const queryClient = new QueryClient()
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [`${path}?token=some`] }))
  await router.load()
  return renderToStaticMarkup(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
}

/**
 * Only what can be seen. Inputs become boxes that look like them: there is nothing to type into yet, and nothing that a password
 * manager would fill in. The router's script for pages that a server renders goes.
 */
function toPicture(html: string): string {
  return html
    .replaceAll(/<input[^>]*?class="([^"]*)"[^>]*>/g, '<div class="$1"></div>')
    .replaceAll(/<script>.*?<\/script>/gs, '')
}
