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
  /** The logged-in user; absent for a guest. */
  user?: UserPublic
  /** Whether React mounts everything twice, as in development. */
  isStrict?: boolean
  /** Prepares the back end before the application's first request. */
  prepare?: (backend: Backend) => void
}

/** Renders the whole application at a URL, with its real routes and an in-memory back end. */
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
    // As src/main.tsx does.
    holdHandover()
  }
  const queryClient = createQueryClient()
  const options = queryClient.getDefaultOptions()
  // A test of the query client shows the delays.
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

/** Sends the events of another tab that received a 401. */
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

/** The queries that a session may not leave behind. */
export function queriesOfSession(queryClient: QueryClient) {
  return queryClient.getQueryCache().findAll({ predicate: ({ meta }) => !meta?.isPublic })
}

/** Makes a request and waits for its response. By then, the application has received earlier responses. */
export async function roundTrip(path = '/instance'): Promise<void> {
  await act(async () => void (await fetch(`${window.location.origin}/api/v1${path}`)))
}

/** Waits for the table row with these texts, by column heading. */
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

/** Waits until a list shows its rows, or that there are none. */
export const listLoaded = () =>
  waitFor(() => {
    // Hidden below a dialog.
    expect(screen.getByRole('main', { hidden: true })).not.toBeEmptyDOMElement()
    expect(document.querySelector('[aria-busy=true]')).toBeNull()
  })

/** Waits for a toast with this text and style. */
export async function expectToast(text: string, style?: 'success' | 'error'): Promise<void> {
  const toasts = await screen.findByRole('region', { name: /notifications/i })
  await expect.poll(() => toasts.textContent).toContain(text)
  const toast = within(toasts).getByText(text).closest('[data-sonner-toast]')
  if (style) expect(toast).toHaveAttribute('data-type', style)
}

/** Sets the screen width in pixels and updates media queries. */
export function setScreenWidth(width: number): void {
  act(() => screenWidth.set(width))
}
