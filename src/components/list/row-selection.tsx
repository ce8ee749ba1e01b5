import { type Atom, createAtom, useSelector } from '@tanstack/react-store'
import { type MouseEvent, type ReactNode, useId, useLayoutEffect, useState } from 'react'
import { rangeBetween } from '@/lib/row-range'
import { Checkbox } from '../ui/checkbox'
import type { List } from './use-list'

interface Selected {
  /** The names of the selected rows by id, also of other pages. */
  rows: ReadonlyMap<string, string>
  /** All rows that match the filters are selected, also those that were not loaded. */
  isAll: boolean
  /** The last press left only rows of the page, where all that match were selected before. */
  isRest: boolean
  /** Cards show their boxes. */
  isOn: boolean
  /** The rows of the page that can be selected. */
  page: readonly SelectableRow[]
}

const nothing: Selected = { rows: new Map(), isAll: false, isRest: false, isOn: false, page: [] }

/** A row of the page that can be selected. */
export interface SelectableRow {
  id: string
  name: string
}

export interface RowSelection {
  /** Not a React state, so that a change renders only the boxes. */
  state: Atom<Selected>
  /** Selects a row or removes it. @param isRange the rows since the last press, too */
  press: (row: SelectableRow, isSelected: boolean, isRange: boolean) => void
  /** Selects all rows of the page, or none. */
  pressPage: (isSelected: boolean) => void
  selectAll: () => void
  /** Shows the boxes of cards. */
  start: () => void
  clear: () => void
  /** Removes rows, such as deleted ones. */
  remove: (ids: readonly string[]) => void
  /** Sets the rows of the page. Other filters clear the selection. */
  show: (rows: readonly SelectableRow[], filters: string) => void
}

/**
 * The selected rows of a list, on all its pages.
 * @param rows of the page that can be selected; none can while those of another URL are shown
 * @param filters another value clears the selection
 */
export function useRowSelection(
  { isPlaceholderData }: Pick<List<unknown>, 'isPlaceholderData'>,
  rows: readonly SelectableRow[],
  filters: string,
): RowSelection {
  const [selection] = useState(createSelection)
  useLayoutEffect(() => selection.show(isPlaceholderData ? [] : rows, filters))
  return selection
}

function createSelection(): RowSelection {
  const state = createAtom<Selected>(nothing)
  let last: string | undefined
  let shownFilters: string | undefined

  function change(pressed: readonly SelectableRow[], isSelected: boolean): void {
    const { rows, isAll, ...rest } = state.get()
    // After all rows, those of the page are selected but for the pressed ones.
    const next = new Map(isAll ? rest.page.map(({ id, name }) => [id, name]) : rows)
    for (const { id, name } of pressed) {
      if (isSelected) next.set(id, name)
      else next.delete(id)
    }
    state.set({ ...rest, rows: next, isAll: false, isRest: isAll && next.size > 0 })
  }

  return {
    state,
    press(row, isSelected, isRange) {
      change(isRange ? rangeBetween(state.get().page, last, row) : [row], isSelected)
      last = row.id
    },
    pressPage: (isSelected) => change(state.get().page, isSelected),
    selectAll: () => state.set({ ...state.get(), rows: new Map(), isAll: true }),
    start: () => state.set({ ...state.get(), isOn: true }),
    clear() {
      last = undefined
      state.set({ ...nothing, page: state.get().page })
    },
    remove(ids) {
      const { rows, ...rest } = state.get()
      const left = new Map(rows)
      for (const id of ids) left.delete(id)
      if (left.size === rows.size) return
      if (left.size === 0) this.clear()
      else state.set({ ...rest, rows: left })
    },
    show(page, filters) {
      if (filters !== shownFilters && shownFilters !== undefined) this.clear()
      shownFilters = filters
      const before = state.get().page
      const isSame = page.length === before.length && page.every(({ id }, index) => id === before[index]?.id)
      if (!isSame) state.set({ ...state.get(), page, isRest: false })
    },
  }
}

const noSelection = createAtom<Selected>(nothing)

/** Whether cards show their boxes. */
export function useIsOn(selection: RowSelection | undefined): boolean {
  return useSelector(selection?.state ?? noSelection, ({ isOn }) => isOn)
}

/** Whether there is something to show about the selection. */
export function useIsSelecting({ state }: RowSelection): boolean {
  return useSelector(state, ({ rows, isAll, isOn }) => isOn || isAll || rows.size > 0)
}

/** Whether all rows of the page are selected, or only some; `empty` if it has none that can be. */
export function usePageSelection(selection: RowSelection): 'all' | 'some' | 'none' | 'empty' {
  return useSelector(selection.state, ({ rows, isAll, page }) => {
    if (page.length === 0) return 'empty'
    const chosen = page.filter(({ id }) => isAll || rows.has(id)).length
    if (chosen === 0) return 'none'
    return chosen === page.length ? 'all' : 'some'
  })
}

/** The boxes of a table. */
export interface SelectionColumn<Row> {
  selection: RowSelection
  heading: ReactNode
  cell: (row: Row) => ReactNode
}

/** @param lockOf why a row cannot be selected */
export function makeSelectionColumn<Row extends { id: string }>(
  selection: RowSelection,
  nameOf: (row: Row) => string,
  lockOf: (row: Row) => string | undefined = () => undefined,
): SelectionColumn<Row> {
  return {
    selection,
    heading: <PageBox selection={selection} />,
    cell: (row) => <RowBox selection={selection} id={row.id} name={nameOf(row)} lock={lockOf(row)} />,
  }
}

/** Larger than its mark, for touch. */
const boxClass = 'grid size-8 place-items-center pointer-coarse:size-11'

function PageBox({ selection }: { selection: RowSelection }) {
  const id = useId()
  const chosen = usePageSelection(selection)
  return (
    <label htmlFor={id} className={boxClass}>
      <Checkbox
        id={id}
        aria-label="Select all on this page"
        ref={(box) => {
          if (box) box.indeterminate = chosen === 'some'
        }}
        disabled={chosen === 'empty'}
        checked={chosen === 'all'}
        onChange={() => selection.pressPage(chosen !== 'all')}
      />
    </label>
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
        // Not a part of the text of the cell.
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
