import { createAtom, type ReadonlyAtom, useSelector } from '@tanstack/react-store'
import { createContext, useContext } from 'react'

/** A row that can be selected. */
export interface SelectableRow {
  id: string
  name: string
}

interface Selected {
  /** The names of the selected rows by id, on all pages. */
  rows: ReadonlyMap<string, string>
  /** All that match the filters are selected, also rows that were not loaded. */
  isAll: boolean
  /** The last press: where a range begins, and whether all were selected until then. */
  last: { id?: string | undefined; wasAll: boolean }
  /** Select was pressed, which shows the boxes of cards before one is selected. */
  isOn: boolean
}

const nothing: Selected = { rows: new Map(), isAll: false, last: { wasAll: false }, isOn: false }

/**
 * The selected rows of a list, on all its pages. Not a React state, so that a change renders only the boxes. It lives
 * as long as the shell, so that Back from a row finds it.
 */
export interface RowSelection {
  state: ReadonlyAtom<Selected>
  /** The rows of the page that can be selected. */
  page: ReadonlyAtom<readonly SelectableRow[]>
  /** Selects a row or removes it. @param isRange the rows since the last press, too */
  press: (row: SelectableRow, isSelected: boolean, isRange: boolean) => void
  /** Selects a row and the next one. The way back towards the first of them removes rows. */
  extend: (from: string, to: string) => void
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

function createSelection(): RowSelection {
  const state = createAtom<Selected>(nothing)
  const page = createAtom<readonly SelectableRow[]>([])
  let shownFilters: string | undefined

  const isSelected = (id: string): boolean => state.get().isAll || state.get().rows.has(id)
  const indexOf = (wanted: string | undefined): number => page.get().findIndex(({ id }) => id === wanted)

  /** @param id where a range begins */
  function change(pressed: readonly SelectableRow[], selects: boolean, id: string | undefined): void {
    const { rows, isAll, isOn } = state.get()
    // After all rows, those of the page are selected but for the pressed ones.
    const next = new Map(isAll ? page.get().map((row) => [row.id, row.name]) : rows)
    for (const row of pressed) {
      if (selects) next.set(row.id, row.name)
      else next.delete(row.id)
    }
    state.set({ rows: next, isAll: false, last: { id, wasAll: isAll }, isOn })
  }

  /** The rows of the page between two, in its order; only `to` if the other is not on it. */
  function rangeBetween(from: string | undefined, to: SelectableRow): readonly SelectableRow[] {
    const ends = [indexOf(from), indexOf(to.id)]
    return ends.includes(-1) ? [to] : page.get().slice(Math.min(...ends), Math.max(...ends) + 1)
  }

  return {
    state,
    page,
    press: (row, selects, isRange) => change(isRange ? rangeBetween(state.get().last.id, row) : [row], selects, row.id),
    extend(from, to) {
      const { id } = state.get().last
      const [first, here, there] = [indexOf(id), indexOf(from), indexOf(to)] as const
      const continues = first !== -1 && isSelected(from)
      const isBack = continues && there !== -1 && Math.abs(there - first) < Math.abs(here - first)
      const rows = [here, ...(isBack ? [] : [there])].flatMap((index) => page.get()[index] ?? [])
      change(rows, !isBack, continues ? id : from)
    },
    // A range begins at no row that this has cleared.
    pressPage(selects) {
      const { id } = state.get().last
      change(page.get(), selects, selects || indexOf(id) === -1 ? id : undefined)
    },
    selectAll: () => state.set({ ...state.get(), rows: new Map(), isAll: true }),
    start: () => state.set({ ...state.get(), isOn: true }),
    clear: () => state.set(nothing),
    remove(ids) {
      const { rows } = state.get()
      const left = new Map(rows)
      for (const id of ids) left.delete(id)
      if (left.size === rows.size) return
      state.set(left.size === 0 ? nothing : { ...state.get(), rows: left })
    },
    show(rows, filters) {
      if (filters !== shownFilters) state.set(nothing)
      shownFilters = filters
      const before = page.get()
      const isSame = rows.length === before.length && rows.every(({ id }, index) => id === before[index]?.id)
      if (!isSame) page.set(rows)
    },
  }
}

/** The selections by list. A new object of the shell ends them with the session. */
const SelectionsContext = createContext<Map<string, RowSelection> | null>(null)

export const SelectionsProvider = SelectionsContext.Provider

/** The selection of a list, which is the same object on all pages of the application. */
export function useSelectionOf(list: string): RowSelection {
  const selections = useContext(SelectionsContext)
  if (!selections) throw new Error('useSelectionOf is for pages of the shell')
  const selection = selections.get(list) ?? createSelection()
  selections.set(list, selection)
  return selection
}

export const isSelecting = ({ rows, isAll, isOn }: Selected): boolean => isOn || isAll || rows.size > 0

const noSelection = createAtom<Selected>(nothing)

/** Whether there is something to show about the selection. */
export function useIsSelecting(selection: RowSelection | undefined): boolean {
  return useSelector(selection?.state ?? noSelection, isSelecting)
}

/** Whether all rows of the page are selected, or only some; `empty` if it has none that can be. */
export function usePageSelection({ state, page }: RowSelection): 'all' | 'some' | 'none' | 'empty' {
  const shown = useSelector(page)
  return useSelector(state, ({ rows, isAll }) => {
    if (shown.length === 0) return 'empty'
    const chosen = shown.filter(({ id }) => isAll || rows.has(id)).length
    if (chosen === 0) return 'none'
    return chosen === shown.length ? 'all' : 'some'
  })
}
