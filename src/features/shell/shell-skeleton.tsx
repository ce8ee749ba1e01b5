import { useMatches } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { Logo } from '@/components/logo'
import { LoadingBar } from '@/components/loading-bar'
import { Skeleton, RowsSkeleton } from '@/components/skeleton'

// The shell and its skeleton share these classes, to avoid layout shifts.
export const shellClass = 'flex min-h-dvh'
export const headerClass = 'sticky top-0 z-30 h-12 shrink-0 border-b bg-background print:hidden'
/** The width of the header and of pages. Up to 1,440 px for lists; forms are narrower. */
export const contentClass = 'mx-auto w-full max-w-[92rem] px-4'

export function logoClass(expanded: boolean): string {
  return clsx('flex h-12 shrink-0 items-center border-b -outline-offset-2', expanded ? 'px-4' : 'px-2.5')
}

export function sidebarClass(expanded: boolean): string {
  return clsx(
    'sticky top-0 h-dvh shrink-0 overflow-hidden border-r bg-surface transition-[width] duration-150 print:hidden',
    expanded ? 'w-64' : 'w-12',
  )
}

/** The edges and the logo of the shell, prerendered into index.html. @param props.children replaces the page */
export function ShellSkeleton({ expanded, children }: { expanded: boolean; children?: ReactNode }) {
  return (
    <div className={shellClass}>
      <LoadingBar delayed />
      <div className={clsx(sidebarClass(expanded), 'max-md:hidden')}>
        <div className={logoClass(expanded)}>
          <Logo withName={expanded} />
        </div>
      </div>
      <div className="min-w-0 flex-1">
        <div className={headerClass} />
        {children}
      </div>
    </div>
  )
}

export function PendingPage() {
  const isEmpty = useMatches({ select: (matches) => matches.at(-1)?.staticData.isEmptyAtFirst })
  return isEmpty ? null : <PageSkeleton />
}

export function PageSkeleton() {
  return (
    <div className={clsx(contentClass, 'grid gap-5 py-3 md:py-5')}>
      <Skeleton className="h-10 w-60" />
      <RowsSkeleton />
    </div>
  )
}
