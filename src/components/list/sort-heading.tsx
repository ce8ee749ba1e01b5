import { clsx } from 'clsx'
import { ArrowDown, ArrowUp } from 'lucide-react'

/** The value of `aria-sort` for a field and a sort such as `-title`. */
export function directionOf(field: string | undefined, sort: string | undefined) {
  if (field === undefined) return undefined
  if (sort === field) return 'ascending'
  return sort === `-${field}` ? 'descending' : undefined
}

export function nextSort(field: string, sort: string | undefined): string | undefined {
  const direction = directionOf(field, sort)
  if (direction === undefined) return field
  return direction === 'ascending' ? `-${field}` : undefined
}

interface SortHeadingProps {
  header: string
  field: string
  sort: string | undefined
  /** Whether text is aligned at the end, so that the arrow must precede it. */
  isAtEnd: boolean
  onSort: (sort: string | undefined) => void
}

/** Its name omits the direction, because `aria-sort` has it. On cards, headings are only for screen readers. */
export function SortHeading({ header, field, sort, isAtEnd, onSort }: SortHeadingProps) {
  const direction = directionOf(field, sort)
  const Arrow = direction === 'descending' ? ArrowDown : ArrowUp
  return (
    <>
      <button
        type="button"
        className={clsx(
          'group -mx-2 -my-1.5 inline-flex min-h-7 items-center gap-1 rounded-md px-2 text-left hover:bg-muted cards:hidden pointer-coarse:-my-3.5 pointer-coarse:min-h-11',
          direction && 'text-foreground',
          isAtEnd && 'flex-row-reverse align-middle text-right',
        )}
        onClick={() => onSort(nextSort(field, sort))}
      >
        {header}
        <Arrow
          aria-hidden
          className={clsx(
            'size-3.5 shrink-0',
            !direction && 'invisible group-hover:visible group-focus-visible:visible',
          )}
        />
      </button>
      <span className="columns:hidden">{header}</span>
    </>
  )
}
