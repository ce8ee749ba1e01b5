import { queryOptions, useQuery, useQueryClient } from '@tanstack/react-query'
import { ChevronsUpDown } from 'lucide-react'
import { type ComponentPropsWithRef, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { readRow, readRows, resourceOf } from '@/data/resources'
import type { Tag } from '@/lib/resources'
import { useSearchText } from '@/data/use-search-text'
import { matchNote, rowName } from '@/lib/row-name'
import { Combobox } from '@/components/combobox'
import { controlHeight, fieldClass } from '@/components/ui/classes'

const rowNameOptions = (tag: Tag, id: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], nameOf: id }] as readonly unknown[],
    queryFn: async ({ signal }) => rowName(await readRow(tag, id, signal)),
  })

/** The name of a row; `undefined` while it loads, null if the row is missing or belongs to another user. */
export function useRowName(tag: Tag, id: string): string | null | undefined {
  const { data, isError } = useQuery({ ...rowNameOptions(tag, id), enabled: id !== '' })
  return isError ? null : data
}

const MAX_FOUND = 20

interface RowPickerProps {
  to: Tag
  label: string
  value: string
  onChange: (id: string) => void
  field: ComponentPropsWithRef<'input'>
  className?: string
}

/** Searches rows on the server. Empty text removes the value. */
export function RowPicker({ to, label, value, onChange, field, className = '' }: RowPickerProps) {
  const queryClient = useQueryClient()
  const [typed, setTyped] = useState<string>()
  const [isOpen, setOpen] = useState(false)
  const known = useRowName(to, value)
  const { q, isAsked, isEmpty } = useSearchText(typed ?? '')
  // Without words, these are the newest rows.
  const asked = { ...(!isEmpty && { q }), limit: MAX_FOUND }
  const query = useQuery({
    queryKey: [{ tags: [to], found: asked }],
    queryFn: ({ signal }) => readRows(to, asked, signal),
    enabled: isOpen && (isEmpty || isAsked),
  })
  const found = isEmpty || isAsked ? query.data : undefined

  const box = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const place = (): void => {
    if (isOpen && box.current && list.current) placeOver(list.current, box.current)
  }
  // The height of the list changes with its rows.
  useLayoutEffect(place)
  useEffect(() => {
    if (!isOpen) return undefined
    const over = new AbortController()
    for (const type of ['scroll', 'resize'])
      window.addEventListener(type, place, { capture: true, passive: true, signal: over.signal })
    return () => over.abort()
    // oxlint-disable-next-line react/exhaustive-deps -- it reads only refs
  }, [isOpen])

  function choose(row: { id: string }): void {
    queryClient.setQueryData(rowNameOptions(to, row.id).queryKey, rowName(row))
    onChange(row.id)
    setTyped(undefined)
    setOpen(false)
  }

  function statusText(): string {
    if (query.isError) return `${resourceOf(to).title} could not be searched.`
    if (!found) return 'Searching…'
    if (found.data.length === 0) return 'Nothing found'
    return found.count > found.data.length
      ? `The first ${found.data.length} of ${found.count.toLocaleString('en')}`
      : ''
  }

  return (
    <div ref={box} className={`grid items-center ${className}`}>
      <Combobox
        label={label}
        field={{
          ...field,
          placeholder: known === null ? 'Not available' : `Search ${resourceOf(to).title.toLowerCase()}`,
        }}
        text={typed ?? (value === '' ? '' : (known ?? ''))}
        onText={(text) => {
          setTyped(text)
          setOpen(true)
          if (text === '') onChange('')
        }}
        choices={(found?.data ?? []).map((row) => ({
          id: row.id,
          group: '',
          name: rowName(row),
          note: isEmpty ? undefined : matchNote(row, q),
          isChosen: row.id === value,
          onChoose: () => choose(row),
        }))}
        status={statusText()}
        isOpen={isOpen}
        onOpen={() => setOpen(true)}
        onLeave={() => {
          setTyped(undefined)
          setOpen(false)
        }}
        fieldClassName={`${fieldClass} ${controlHeight} col-start-1 row-start-1 truncate pr-8`}
        // No ancestor within a dialog is positioned, so that the scrollable part does not clip the list.
        listClassName="absolute z-30 rounded-lg border raised py-1 shadow-lg"
        listRef={list}
      />
      <ChevronsUpDown
        aria-hidden
        className="pointer-events-none col-start-1 row-start-1 mr-2.5 size-4 justify-self-end text-muted-foreground"
      />
    </div>
  )
}

const MAX_HEIGHT = 256
const GAP = 4
const MIN_WIDTH = 256

/** Places a list below its field, or above it if there is more room. */
function placeOver(list: HTMLElement, field: HTMLElement): void {
  const frame = list.offsetParent
  if (!frame) return
  const { left, top, bottom, width } = field.getBoundingClientRect()
  const { offsetTop: first, height } = window.visualViewport ?? { offsetTop: 0, height: window.innerHeight }
  const [above, below] = [top - first - 2 * GAP, first + height - bottom - 2 * GAP]
  list.style.width = `${Math.max(MIN_WIDTH, width)}px`
  list.style.maxHeight = `${MAX_HEIGHT}px`
  const isAbove = list.offsetHeight > below && above > below
  list.style.maxHeight = `${Math.min(MAX_HEIGHT, isAbove ? above : below)}px`
  const from = frame.getBoundingClientRect()
  list.style.left = `${left - from.left - frame.clientLeft + frame.scrollLeft}px`
  const at = isAbove ? top - GAP - list.offsetHeight : bottom + GAP
  list.style.top = `${at - from.top - frame.clientTop + frame.scrollTop}px`
}
