import { clsx } from 'clsx'
import { PanelLeft } from 'lucide-react'
import { useIsFetching, useQueryClient } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { lazyPart } from '@/components/lazy'
import { type RowSelection, SelectionsProvider } from '@/components/list/selection'
import { LOADING_BAR_DELAY_MS, LoadingBar } from '@/components/loading-bar'
import { Needs } from '@/components/needs'
import { skipLink } from '@/components/ui/classes'
import { IconButton } from '@/components/ui/button'
import { dropHandover, readHandover } from '@/data/handover'
import { followChanges } from '@/data/live/live'
import { Breadcrumbs } from './breadcrumbs'
import { AddressNotice, DraftNotice, OfflineNotice } from './notices'
import { Reauthentication } from './reauthentication'
import { useNavigation } from './navigation'
import { Palette } from './palette'
import { commandKey } from './palette-control'
import { contentClass, headerClass, shellClass, sidebarClass } from './shell-skeleton'
import { Sidebar } from './sidebar'
import { useSidebar } from './use-sidebar'

const ignore = () => undefined

const LeftSheet = lazyPart(async () => (await import('@/components/dialog/dialog')).LeftSheet)

/** The shell of one session. It is mounted again for another user. */
export function Shell({ children }: { children: ReactNode }) {
  const queryClient = useQueryClient()
  useEffect(() => {
    const { oidc_error } = readHandover()
    // A code for the log-in page is useless in a session.
    dropHandover()
    if (oidc_error === undefined) return
    void import('@/data/provider-errors').then((loaded) => loaded.reportProviderError(queryClient, oidc_error), ignore)
  }, [queryClient])
  useEffect(() => followChanges(queryClient), [queryClient])
  const { isNarrow, expanded, sheet, isOpen, toggle, closeSheet } = useSidebar()
  const [selections] = useState(() => new Map<string, RowSelection>())
  const toggleButton = useRef<HTMLButtonElement>(null)
  const sidebar = { groups: useNavigation(), onChoose: closeSheet }
  return (
    <div className={shellClass}>
      <a href="#content" className={skipLink}>
        Skip to content
      </a>
      {isNarrow ? (
        sheet && (
          <LeftSheet open={isOpen} onClose={closeSheet} onFailure={closeSheet} title="Sidebar" opener={toggleButton}>
            <Sidebar {...sidebar} collapsed={false} />
          </LeftSheet>
        )
      ) : (
        <aside aria-label="Sidebar" data-state={expanded ? 'expanded' : 'collapsed'} className={sidebarClass(expanded)}>
          <Sidebar {...sidebar} collapsed={!expanded} />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className={headerClass}>
          <div className={clsx(contentClass, '@container flex h-full items-center gap-3')}>
            <IconButton
              ref={toggleButton}
              label="Toggle sidebar"
              keys={`${commandKey()}+B`}
              aria-expanded={isOpen}
              className="-ml-2 shrink-0 pointer-coarse:-ml-3.5"
              onClick={toggle}
            >
              <PanelLeft aria-hidden />
            </IconButton>
            <span aria-hidden className="h-5 border-l" />
            <Breadcrumbs />
            <OfflineNotice />
            <Palette />
          </div>
        </header>
        <DraftNotice />
        <Needs capability="confirmed-addresses">
          <AddressNotice />
        </Needs>
        <SelectionsProvider value={selections}>
          <Content>{children}</Content>
        </SelectionsProvider>
        <Reauthentication />
      </div>
    </div>
  )
}

/** A separate component, so that the shell does not render on each navigation. */
function Content({ children }: { children: ReactNode }) {
  const isLoading = useIsPageLoading()
  return (
    <>
      {isLoading && <LoadingBar />}
      <main
        id="content"
        tabIndex={-1}
        aria-busy={isLoading}
        className={clsx(contentClass, '@container flex-1 py-3 outline-none md:py-5 md:low:py-3 print:p-0')}
      >
        {children}
      </main>
    </>
  )
}

/** Whether the page has waited longer than the delay for code or its first data. Prefetching does not count. */
function useIsPageLoading(): boolean {
  const code = useRouterState({ select: ({ isLoading }) => isLoading })
  const data = useIsFetching({ predicate: (query) => query.state.status === 'pending' && query.isActive() }) > 0
  const href = useRouterState({ select: ({ location }) => location.href })
  const isWaiting = code || data
  const [due, setDue] = useState(false)
  if (due && !isWaiting) setDue(false)
  useEffect(() => {
    if (!isWaiting) return
    const timer = setTimeout(() => setDue(true), LOADING_BAR_DELAY_MS)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react/exhaustive-deps -- another page restarts the delay
  }, [isWaiting, href])
  return due
}
