import { clsx } from 'clsx'
import { PanelLeft } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { Breadcrumbs, type Crumb } from '@/components/breadcrumbs'
import { Button } from '@/components/ui/button'
import { LeftSheet } from '@/components/ui/dialog'
import { DraftNotice } from './draft-notice'
import { LoadingBar, useIsPageLoading } from './loading-bar'
import { navigationFor } from './navigation'
import { Sidebar } from './sidebar'
import { useSidebar } from './use-sidebar'

interface ShellProps {
  user: UserPublic
  crumbs: readonly Crumb[]
  onLogOut: () => void
  children: ReactNode
}

/** What surrounds every signed-in page: where one is, where one can go, and who one is. */
export function Shell({ user, crumbs, onLogOut, children }: ShellProps) {
  const { isNarrow, expanded, sheetOpen, isOpen, toggle, closeSheet } = useSidebar()
  const isLoading = useIsPageLoading()
  const toggleButton = useRef<HTMLButtonElement>(null)
  const sidebar = { user, groups: navigationFor(user), onLogOut, onChoose: closeSheet }
  return (
    <div className="flex min-h-dvh">
      <a
        href="#content"
        className="fixed top-2 left-2 z-60 -translate-y-16 rounded-md bg-primary px-4 py-3 font-medium text-primary-foreground focus:translate-y-0"
      >
        Skip to content
      </a>
      {isLoading && <LoadingBar />}
      {isNarrow ? (
        <LeftSheet open={sheetOpen} onClose={closeSheet} title="Sidebar" opener={toggleButton}>
          <Sidebar {...sidebar} collapsed={false} />
        </LeftSheet>
      ) : (
        <aside
          aria-label="Sidebar"
          data-state={expanded ? 'expanded' : 'collapsed'}
          className={clsx(
            'sticky top-0 h-dvh shrink-0 overflow-hidden border-r bg-surface transition-[width] duration-200',
            expanded ? 'w-64' : 'w-12',
          )}
        >
          <Sidebar {...sidebar} collapsed={!expanded} />
        </aside>
      )}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="sticky top-0 z-30 flex h-14 shrink-0 items-center gap-3 border-b bg-background px-4">
          <Button
            ref={toggleButton}
            variant="ghost"
            size="icon"
            aria-label="Toggle sidebar"
            aria-expanded={isOpen}
            title="Toggle sidebar (Ctrl+B)"
            className="-ml-1.5"
            onClick={toggle}
          >
            <PanelLeft aria-hidden />
          </Button>
          <span aria-hidden className="h-5 border-l" />
          <Breadcrumbs crumbs={crumbs} />
        </header>
        <DraftNotice userId={user.id} />
        <main
          id="content"
          tabIndex={-1}
          aria-busy={isLoading}
          className="mx-auto w-full max-w-6xl flex-1 p-4 outline-none md:p-8"
        >
          {children}
        </main>
      </div>
    </div>
  )
}
