import { useSelector } from '@tanstack/react-store'
import { type ComponentProps, type MouseEvent, type ReactNode, useId, useLayoutEffect, useMemo } from 'react'
import { isNarrow } from '@/browser/use-media'
import { Checkbox } from '../ui/checkbox'
import { rowBox, rowOf } from './row-keys'
import { isSelecting, type RowSelection, type SelectableRow, usePageSelection, useSelectionOf } from './selection'
import type { ListState } from './use-list'

export interface SelectionColumn<Row> {
  selection: RowSelection
  heading: ReactNode
  cell: (row: Row) => ReactNode
}

interface SelectionOptions<Row> {
  list: Pick<ListState<Row>, 'rows' | 'isPlaceholderData'>
  /** Another value clears the selection. */
  filters: object
  /** Must be stable, like `lockOf`: a new function renders every row again. */
  nameOf: (row: Row) => string
  lockOf?: (row: Row) => string | undefined
}

const noLock = () => undefined

/** @param name the name of the list, by which the selection is kept when its page is left */
export function useRowSelection<Row extends { id: string }>(
  name: string,
  { list, filters, nameOf, lockOf = noLock }: SelectionOptions<Row>,
): SelectionColumn<Row> {
  const selection = useSelectionOf(name)
  useLayoutEffect(() => {
    const rows = list.isPlaceholderData ? [] : (list.rows ?? []).filter((row) => lockOf(row) === undefined)
    selection.show(
      rows.map((row) => ({ id: row.id, name: nameOf(row) })),
      JSON.stringify(filters),
    )
  })
  return useMemo(
    () => ({
      selection,
      heading: <PageBox selection={selection} />,
      cell: (row) => <RowBox selection={selection} id={row.id} name={nameOf(row)} lock={lockOf(row)} />,
    }),
    [selection, nameOf, lockOf],
  )
}

/** On a phone, once a row is selected, a tap on any part of a row but its menu selects it. */
export function selectByTap(event: MouseEvent, { state }: RowSelection): void {
  const { target, detail } = event
  const box = rowBox(rowOf(target))
  const isForItself = (target as Element).closest('label, [data-area=actions]') !== null
  // `detail` is 0 for clicks by keyboard, and for the click on the box below.
  if (!box || isForItself || detail === 0 || !isNarrow() || !isSelecting(state.get())) return
  event.preventDefault()
  event.stopPropagation()
  box.click()
}

// Above the title, which would cover half a pixel of it on some cards.
const boxClass = 'relative z-1 grid size-8 place-items-center pointer-coarse:size-11'

function PageBox({ selection }: { selection: RowSelection }) {
  const id = useId()
  return (
    <label htmlFor={id} className={boxClass}>
      <PageCheckbox id={id} aria-label="Select all on this page" selection={selection} />
    </label>
  )
}

export function PageCheckbox({ selection, ...props }: ComponentProps<'input'> & { selection: RowSelection }) {
  const chosen = usePageSelection(selection)
  return (
    <Checkbox
      {...props}
      disabled={chosen === 'empty'}
      checked={chosen === 'all'}
      ref={(box) => {
        if (box) box.indeterminate = chosen === 'some'
      }}
      onChange={() => selection.pressPage(chosen !== 'all')}
    />
  )
}

interface RowBoxProps extends SelectableRow {
  selection: RowSelection
  lock: string | undefined
}

function RowBox({ selection, id, name, lock }: RowBoxProps) {
  const isSelected = useSelector(selection.state, ({ rows, isAll }) => lock === undefined && (isAll || rows.has(id)))
  const inputId = useId()
  return (
    <label htmlFor={inputId} className={boxClass}>
      <Checkbox
        id={inputId}
        aria-label={`Select ${name}`}
        title={lock}
        disabled={lock !== undefined}
        checked={isSelected}
        onChange={({ target, nativeEvent }) =>
          selection.press({ id, name }, target.checked, (nativeEvent as unknown as MouseEvent).shiftKey)
        }
      />
    </label>
  )
}
