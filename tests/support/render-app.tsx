import type { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { act, render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Fragment, StrictMode } from 'react'
import { expect, onTestFinished } from 'vitest'
import type { UserPublic } from '@/client/types.gen'
import { App, followSession } from '@/app'
import { createQueryClient } from '@/data/api/query-client'
import { dropHandover, holdHandover } from '@/data/handover'
import { createAppRouter } from '@/router'
import { Backend } from './backend'
import { network } from './network'
import { screenWidth } from './screen-width'

interface Options {
  url: string
  user?: UserPublic
  /** Mounts every component twice, as React does in development. */
  isStrict?: boolean
  prepare?: (backend: Backend) => void
}

export async function renderApp({ url, user, prepare, isStrict = false }: Options) {
  const backend = new Backend()
  if (user) {
    backend.user = user
    localStorage.setItem('access_token', backend.token)
  }
  network.use(...backend.handlers)
  prepare?.(backend)

  const [path = '', fragment] = url.split('#')
  if (fragment !== undefined) {
    window.history.replaceState(null, '', url)
    onTestFinished(() => {
      dropHandover()
      window.history.replaceState(null, '', '/')
    })
    // src/main.tsx does this before the application renders.
    holdHandover()
  }
  const queryClient = createQueryClient()
  const options = queryClient.getDefaultOptions()
  // Retries have no delay here. The tests of the query client check the real delays.
  queryClient.setDefaultOptions({ ...options, queries: { ...options.queries, retryDelay: 0 } })
  const router = createAppRouter(queryClient, createMemoryHistory({ initialEntries: [path] }))
  const actor = userEvent.setup()
  onTestFinished(followSession(queryClient, router))
  const Root = isStrict ? StrictMode : Fragment
  render(
    <Root>
      <App queryClient={queryClient} router={router} />
    </Root>,
  )
  await router.load()
  return { backend, router, queryClient, actor }
}

/** Dispatches the storage events that another tab causes when its session ends. */
export async function endSessionElsewhere(): Promise<void> {
  act(() => {
    localStorage.removeItem('access_token')
    for (const [key, newValue] of [
      ['session_expired', '1'],
      ['access_token', null],
      ['session_expired', null],
    ] as const)
      window.dispatchEvent(new StorageEvent('storage', { key, newValue }))
  })
  await screen.findByRole('heading', { name: 'Login to your account' })
}

export function queriesOfSession(queryClient: QueryClient) {
  return queryClient.getQueryCache().findAll({ predicate: ({ meta }) => !meta?.isPublic })
}

/** Sends a request and waits for its response. The application has received earlier responses by then. */
export async function roundTrip(path = '/instance'): Promise<void> {
  await act(async () => void (await fetch(`${window.location.origin}/api/v1${path}`)))
}

export async function expectRow(cells: Record<string, string>): Promise<HTMLTableRowElement> {
  return waitFor(() => findRow(cells))
}

function findRow(cells: Record<string, string>): HTMLTableRowElement {
  const table = screen.getByRole<HTMLTableElement>('table')
  const rows = Array.from(table.tBodies[0]?.rows ?? [])
  const row = rows.find((candidate) => {
    const texts = Object.fromEntries(Array.from(candidate.cells, (cell) => [cell.dataset['label'], cell.textContent]))
    return Object.entries(cells).every(([header, text]) => texts[header] === text)
  })
  const shown = rows.map((candidate) => Array.from(candidate.cells, (cell) => cell.textContent))
  if (!row) expect.fail(`No row with ${JSON.stringify(cells)} among ${JSON.stringify(shown)}`)
  return row
}

export const listLoaded = () =>
  waitFor(() => {
    // A dialog hides the list from assistive technology.
    expect(screen.getByRole('main', { hidden: true })).not.toBeEmptyDOMElement()
    expect(document.querySelector('[aria-busy=true]')).toBeNull()
  })

export async function expectToast(text: string, style?: 'success' | 'error'): Promise<void> {
  const toasts = await screen.findByRole('region', { name: /notifications/i })
  await expect.poll(() => toasts.textContent).toContain(text)
  const toast = within(toasts).getByText(text).closest('[data-sonner-toast]')
  if (style) expect(toast).toHaveAttribute('data-type', style)
}

export function setScreenWidth(width: number): void {
  act(() => screenWidth.set(width))
}
