import type { LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronRight } from 'lucide-react'
import { Link } from '@/components/link'

export interface Crumb {
  label: string
  to?: LinkProps['to']
}

export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumb" className="min-w-0">
      <ol className="flex items-center gap-1.5 text-muted-foreground">
        {crumbs.map(({ label, to }, index) => {
          const isLast = index === crumbs.length - 1
          // A small screen has room for the last two, or for one if the text is large.
          const firstOfTwo = crumbs.length - 2
          return (
            <li
              key={label}
              className={clsx(
                'flex items-center gap-1.5',
                isLast ? 'min-w-0' : 'shrink-0',
                index < firstOfTwo && '@max-[22rem]:hidden',
                index === firstOfTwo && '@max-[15rem]:hidden',
              )}
            >
              {index > 0 && (
                <ChevronRight
                  aria-hidden
                  className={clsx(
                    'size-3.5 shrink-0',
                    index === firstOfTwo && '@max-[22rem]:hidden',
                    isLast && '@max-[15rem]:hidden',
                  )}
                />
              )}
              {isLast || to === undefined ? (
                <span aria-current={isLast ? 'page' : undefined} className="truncate text-foreground">
                  {label}
                </span>
              ) : (
                <Link
                  to={to}
                  className="inline-flex min-h-6 items-center rounded hover:text-foreground pointer-coarse:min-w-11 pointer-coarse:py-3"
                >
                  {label}
                </Link>
              )}
            </li>
          )
        })}
      </ol>
    </nav>
  )
}
