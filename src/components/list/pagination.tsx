import { useNavigate } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { SyntheticEvent } from 'react'
import { useIsNarrow } from '@/browser/use-media'
import { pageCount, pageNumbers } from '@/lib/paging'
import { type AnchorProps, Link } from '../link'
import { Input } from '../ui/input'

interface PaginationProps {
  page: number
  count: number
  /** Whether this is the pagination above the rows, which only narrow screens show in addition to the one below. */
  isAbove?: boolean
}

export function Pagination({ page, count, isAbove = false }: PaginationProps) {
  const last = pageCount(count)
  const isNarrow = useIsNarrow()
  if (isAbove && (!isNarrow || last === 1)) return null
  return (
    <nav
      aria-label={isAbove ? 'Pagination above the rows' : 'Pagination'}
      className={clsx('flex items-center justify-center gap-1 sm:justify-end print:hidden', !isAbove && 'mt-4')}
    >
      <PageLink page={page - 1} disabled={page <= 1} aria-label="Previous page">
        <ChevronLeft aria-hidden className="size-4" />
        <span className="max-sm:sr-only">Previous</span>
      </PageLink>
      <PageField page={page} last={last} isAbove={isAbove} />
      <ul className="flex items-center gap-1 max-[30rem]:hidden">
        {pageNumbers(page, last).map((entry, index) =>
          entry === 'gap' ? (
            // oxlint-disable-next-line react/no-array-index-key -- a gap has no other key
            <li key={`gap ${index}`} aria-hidden className="w-6 text-center text-muted-foreground">
              …
            </li>
          ) : (
            <li key={entry}>
              <PageLink page={entry} aria-label={`Page ${entry}`} current={entry === page}>
                {entry}
              </PageLink>
            </li>
          ),
        )}
      </ul>
      <PageLink page={page + 1} disabled={page >= last} aria-label="Next page">
        <span className="max-sm:sr-only">Next</span>
        <ChevronRight aria-hidden className="size-4" />
      </PageLink>
    </nav>
  )
}

function PageField({ page, last, isAbove }: { page: number; last: number; isAbove: boolean }) {
  const navigate = useNavigate()
  function go(event: SyntheticEvent<HTMLFormElement>): void {
    event.preventDefault()
    const input = event.currentTarget.elements[0] as HTMLInputElement
    const typed = input.value.trim()
    input.value = String(page)
    input.select()
    if (!/^\d+$/.test(typed)) return
    void navigate({ to: '.', search: (search) => ({ ...search, page: Math.min(Number(typed) || 1, last) }) })
  }
  return (
    <form className="grid grid-cols-[3.5rem_auto] items-center gap-2 px-1 min-[30rem]:hidden" onSubmit={go}>
      <Input
        key={page}
        aria-label={`Page, of ${last}`}
        inputMode="numeric"
        enterKeyHint="go"
        autoComplete="off"
        maxLength={9}
        disabled={last === 1}
        defaultValue={page}
        className="text-center"
        onFocus={({ target }) => target.select()}
      />
      {/* Above the rows, the list's status beside the field already gives the total. */}
      {!isAbove && <span aria-hidden className="whitespace-nowrap">{`/ ${last}`}</span>}
    </form>
  )
}

type PageLinkProps = Pick<AnchorProps, 'aria-label' | 'current' | 'disabled' | 'children'> & { page: number }

function PageLink({ page, ...props }: PageLinkProps) {
  const { current, disabled } = props
  return (
    <Link
      to="."
      search={(search) => ({ ...search, page })}
      {...props}
      // A disabled link can have the focus, which is otherwise lost when Next reaches the last page.
      tabIndex={disabled ? -1 : undefined}
      className={clsx(
        'inline-flex h-8 min-w-8 items-center justify-center gap-1 rounded-md border px-2 pointer-coarse:h-11 pointer-coarse:min-w-11',
        current ? 'border-border bg-muted font-medium' : 'border-transparent',
        disabled ? 'pointer-events-none text-muted-foreground opacity-60' : 'hover:bg-muted',
      )}
    />
  )
}
