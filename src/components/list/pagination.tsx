import { Link } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { pageCount, pageNumbers } from '@/lib/paging'

/** Links to the pages of a list. @param count rows of the whole list */
export function Pagination({ page, count }: { page: number; count: number }) {
  const last = pageCount(count)
  return (
    <nav aria-label="Pagination" className="mt-4 flex items-center justify-center gap-1 sm:justify-end print:hidden">
      <PageLink page={page - 1} disabled={page <= 1} label="Previous page">
        <ChevronLeft aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Previous</span>
      </PageLink>
      <p className="px-2 min-[30rem]:hidden">
        <span className="sr-only">Page </span>
        <span>{page}</span> <span aria-hidden>/</span> <span className="sr-only">of </span>
        <span>{last}</span>
      </p>
      <ul className="flex items-center gap-1 max-[30rem]:hidden">
        {pageNumbers(page, last).map((entry, index) =>
          entry === 'gap' ? (
            // oxlint-disable-next-line react/no-array-index-key -- a gap has no other key
            <li key={`gap ${index}`} aria-hidden className="w-6 text-center text-muted-foreground">
              …
            </li>
          ) : (
            <li key={entry}>
              <PageLink page={entry} label={`Page ${entry}`} current={entry === page}>
                {entry}
              </PageLink>
            </li>
          ),
        )}
      </ul>
      <PageLink page={page + 1} disabled={page >= last} label="Next page">
        <span className="max-sm:sr-only">Next</span>
        <ChevronRight aria-hidden className="size-4" />
      </PageLink>
    </nav>
  )
}

interface PageLinkProps {
  page: number
  label: string
  disabled?: boolean
  current?: boolean
  children: ReactNode
}

function PageLink({ page, label, disabled = false, current = false, children }: PageLinkProps) {
  return (
    <Link
      to="."
      search={(search) => ({ ...search, page })}
      aria-label={label}
      aria-current={current ? 'page' : undefined}
      disabled={disabled}
      // A disabled link keeps the focus on the last page.
      tabIndex={disabled ? -1 : undefined}
      activeProps={{}}
      className={clsx(
        'inline-flex h-8 min-w-8 items-center justify-center gap-1 rounded-md border px-2 pointer-coarse:h-11 pointer-coarse:min-w-11',
        current ? 'border-border bg-muted font-medium' : 'border-transparent',
        disabled ? 'pointer-events-none text-muted-foreground opacity-60' : 'hover:bg-muted',
      )}
    >
      {children}
    </Link>
  )
}
