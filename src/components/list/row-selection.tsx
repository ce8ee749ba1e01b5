import { useSelector } from '@tanstack/react-store'
import {
  type ComponentProps,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useId,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { isNarrow } from '@/browser/use-media'
import { Checkbox } from '../ui/checkbox'
import type { Column } from './column'
import { rowBox, rowOf } from './row-keys'
import { isSelecting, type RowSelection, type SelectableRow, usePageSelection, useSelectionOf } from './selection'
import type { ListState } from './use-list'

interface SelectionOptions<Row> {
  list: Pick<ListState<Row>, 'rows' | 'isPlaceholderData'>
  filters: object
  /** Must be stable, like `lockOf`: a new function renders every row again. */
  nameOf: (row: Row) => string
  lockOf: (row: Row) => string | undefined
}

/** @param name the key under which the selection is kept when the user leaves the page */
export function useRowSelection<Row extends { id: string }>(
  name: string,
  { list, filters, nameOf, lockOf }: SelectionOptions<Row>,
): [selection: RowSelection, boxes: Column<Row>] {
  const selection = useSelectionOf(name)
  const headingId = useId()
  useLayoutEffect(() => {
    const rows = list.isPlaceholderData ? [] : (list.rows ?? []).filter((row) => lockOf(row) === undefined)
    selection.show(
      rows.map((row) => ({ id: row.id, name: nameOf(row) })),
      JSON.stringify(filters),
    )
  })
  const boxes = useMemo(
    (): Column<Row> => ({
      header: '',
      role: 'box',
      width: 2.5,
      heading: (
        <label htmlFor={headingId} className={boxClass}>
          <PageCheckbox id={headingId} aria-label="Select all on this page" selection={selection} />
        </label>
      ),
      cell: (row) => <RowBox selection={selection} id={row.id} name={nameOf(row)} lock={lockOf(row)} />,
    }),
    [selection, headingId, nameOf, lockOf],
  )
  return [selection, boxes]
}

/** On a phone, once a row is selected, a tap on any part of a row but its menu selects it. */
function selectByTap(event: MouseEvent, { state }: RowSelection): void {
  const { target } = event
  const box = rowBox(rowOf(target))
  const isForItself = (target as Element).closest('label, [data-area=actions]') !== null
  if (!box || isForItself || !isNarrow() || !isSelecting(state.get())) return
  event.preventDefault()
  event.stopPropagation()
  box.click()
}

/** The time after which a touch that does not move selects a row, as in lists of phones. */
const LONG_PRESS_MS = 500
/** A finger that moves further scrolls. */
const MAX_MOVE_PX = 10

/** Handlers that select a row of cards by a long press. The long press does not open the row. */
export function useLongPress(selection: RowSelection | undefined) {
  const press = useRef<{ x: number; y: number; timer: ReturnType<typeof setTimeout>; isLong: boolean }>(null)
  const end = () => clearTimeout(press.current?.timer)
  useEffect(() => () => clearTimeout(press.current?.timer), [])
  if (!selection) return {}
  return {
    onPointerDown({ target, pointerType, clientX: x, clientY: y }: PointerEvent): void {
      end()
      press.current = null
      const box = rowBox(rowOf(target))
      if (pointerType !== 'touch' || !box || !isNarrow()) return
      const timer = setTimeout(() => {
        if (press.current) press.current.isLong = true
        selection.start()
        box.click()
      }, LONG_PRESS_MS)
      press.current = { x, y, timer, isLong: false }
    },
    onPointerMove({ clientX, clientY }: PointerEvent): void {
      const { x, y } = press.current ?? { x: clientX, y: clientY }
      if (Math.hypot(clientX - x, clientY - y) > MAX_MOVE_PX) end()
    },
    onPointerUp: end,
    onPointerCancel: end,
    // Otherwise a long press on a link opens the menu of the browser.
    onContextMenu: (event: MouseEvent) => press.current && event.preventDefault(),
    onClickCapture(event: MouseEvent): void {
      // `detail` is 0 for clicks by keyboard, and for the click on the box by a long press.
      if (event.detail === 0) return
      const isEnd = press.current?.isLong
      press.current = null
      if (!isEnd) return selectByTap(event, selection)
      event.preventDefault()
      event.stopPropagation()
    },
  }
}

// `z-1` puts the box above the title, which would cover half a pixel of the box on some cards.
const boxClass = 'relative z-1 grid size-8 place-items-center pointer-coarse:size-11'

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

function RowBox(props: SelectableRow & { selection: RowSelection; lock: string | undefined }) {
  const { selection, id, name, lock } = props
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
