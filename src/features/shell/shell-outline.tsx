import { clsx } from 'clsx'
import { Logo } from '@/components/logo'
import { LoadingBar } from './loading-bar'

// What the shell and its outline have in common, so that the one stands where the other stood.
export const shellClass = 'flex min-h-dvh'
export const headerClass = 'sticky top-0 z-30 flex h-14 shrink-0 items-center gap-3 border-b bg-background px-4'
export const logoClass = 'flex h-10 items-center rounded-md px-0.5 pointer-coarse:h-11'

export function sidebarClass(expanded: boolean): string {
  return clsx(
    'sticky top-0 h-dvh shrink-0 overflow-hidden border-r bg-surface transition-[width] duration-200',
    expanded ? 'w-64' : 'w-12',
  )
}

/** Stands in index.html until the shell can be drawn: its edges and the logo. */
export function ShellOutline({ expanded }: { expanded: boolean }) {
  return (
    <div className={shellClass}>
      <LoadingBar delayed />
      <div className={clsx(sidebarClass(expanded), 'max-md:hidden')}>
        <div className="p-2">
          <div className={logoClass}>
            <Logo withName={expanded} />
          </div>
        </div>
      </div>
      <div className="min-w-0 flex-1">
        <div className={headerClass} />
      </div>
    </div>
  )
}
