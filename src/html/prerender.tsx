import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { renderToStaticMarkup, renderToString } from 'react-dom/server'
import type { Instance } from '../client/types.gen'
import { Root } from '../app'
import { PageSkeleton, ShellSkeleton } from '../features/shell/shell-skeleton'
import { instanceOptions } from '../data/api/instance'
import { companyOnly, type PageInstance, withCompany } from '../data/page-instance'
import { screens } from '../lib/screens'
import { createAppRouter } from '../router'

// Replaces browser APIs that the router, lazy code and the session need.
Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => null } })
Object.defineProperty(navigator, 'onLine', { value: true })
Object.assign(globalThis, { window: globalThis, self: globalThis })

/** A provider of company accounts. The head script fills in its name. */
const withProvider: PageInstance = { oidc: { name: '', log_out: null } }

/** Runs in the build. @returns the markup that index.html shows until the code has loaded, by the names in head.ts */
export async function prerender(): Promise<Record<string, string>> {
  const pages: Record<string, string> = {
    expanded: prerenderShell(true),
    collapsed: prerenderShell(false),
  }
  for (const [path, screen] of Object.entries(screens))
    if (screen.access === 'guest') pages[path] = await prerenderPage(path)
  pages[withCompany] = await prerenderPage('/login', { ...withProvider, password_log_in: true })
  pages[companyOnly] = await prerenderPage('/login', { ...withProvider, password_log_in: false })
  return pages
}

function prerenderShell(expanded: boolean): string {
  const shell = (
    <ShellSkeleton expanded={expanded}>
      <div className="in-data-empty-at-first:hidden">
        <PageSkeleton />
      </div>
    </ShellSkeleton>
  )
  return `<div inert>${renderToStaticMarkup(shell)}</div>`
}

async function prerenderPage(path: string, instance?: PageInstance): Promise<string> {
  const queryClient = new QueryClient()
  if (instance) queryClient.setQueryData(instanceOptions.queryKey, instance as Instance)
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [`${path}?token=some`] }))
  await router.load()
  return renderToString(<Root queryClient={queryClient} router={router} />)
}
