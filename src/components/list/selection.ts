import { createAtom, type ReadonlyAtom, useSelector } from '@tanstack/react-store'
import { createContext, useContext } from 'react'

export interface SelectableRow {
  id: string
  name: string
}

interface Selected {
  /** The names of the selected rows by id, of all pages. */
  rows: ReadonlyMap<string, string>
  /** Whether all rows that match the filters are selected, including those of other pages. */
  isAll: boolean
  /** The last change: the row from which Shift selects a range, and whether all rows were selected before. */
  last: { id?: string | undefined; wasAll: boolean }
  isOn: boolean
}

const nothing: Selected = { rows: new Map(), isAll: false, last: { wasAll: false }, isOn: false }

const hasSameRows = (before: readonly SelectableRow[], rows: readonly SelectableRow[]): boolean =>
  rows.length === before.length && rows.every(({ id }, index) => id === before[index]?.id)

/** An atom instead of React state: a change renders only the boxes, and the selection outlives the page of the list. */
function createSelection() {
  const state = createAtom<Selected>(nothing)
  const page = createAtom<readonly SelectableRow[]>([], { compare: hasSameRows })
  let shownFilters: string | undefined

  const isSelected = (id: string): boolean => state.get().isAll || state.get().rows.has(id)
  const indexOf = (wanted: string | undefined): number => page.get().findIndex(({ id }) => id === wanted)

  /** @param id the row from which Shift selects the next range */
  function change(pressed: readonly SelectableRow[], selects: boolean, id: string | undefined): void {
    const { rows, isAll, isOn } = state.get()
    // If all rows were selected, deselecting one leaves the others of this page.
    const next = new Map(isAll ? page.get().map((row) => [row.id, row.name]) : rows)
    for (const row of pressed) {
      if (selects) next.set(row.id, row.name)
      else next.delete(row.id)
    }
    state.set({ rows: next, isAll: false, last: { id, wasAll: isAll }, isOn })
  }

  /** The rows from one to the other; only `to` if `from` is not on the page. */
  function rangeBetween(from: string | undefined, to: SelectableRow): readonly SelectableRow[] {
    const ends = [indexOf(from), indexOf(to.id)]
    return ends.includes(-1) ? [to] : page.get().slice(Math.min(...ends), Math.max(...ends) + 1)
  }

  return {
    state: state as ReadonlyAtom<Selected>,
    /** The rows of the current page that can be selected. */
    page: page as ReadonlyAtom<readonly SelectableRow[]>,
    /** @param isRange whether to include the rows since the last change */
    press: (row: SelectableRow, selects: boolean, isRange: boolean) =>
      change(isRange ? rangeBetween(state.get().last.id, row) : [row], selects, row.id),
    /** Selects a row and the next one. Going back towards the first selected row deselects. */
    extend(from: string, to: string) {
      const { id } = state.get().last
      const [first, here, there] = [indexOf(id), indexOf(from), indexOf(to)] as const
      const continues = first !== -1 && isSelected(from)
      const isBack = continues && there !== -1 && Math.abs(there - first) < Math.abs(here - first)
      const rows = [here, ...(isBack ? [] : [there])].flatMap((index) => page.get()[index] ?? [])
      change(rows, !isBack, continues ? id : from)
    },
    pressPage(selects: boolean) {
      const { id } = state.get().last
      change(page.get(), selects, selects || indexOf(id) === -1 ? id : undefined)
    },
    selectAll: () => state.set({ ...state.get(), rows: new Map(), isAll: true }),
    start: () => state.set({ ...state.get(), isOn: true }),
    clear: () => state.set(nothing),
    remove(ids: readonly string[]) {
      const { rows } = state.get()
      const left = new Map(rows)
      for (const id of ids) left.delete(id)
      if (left.size === rows.size) return
      state.set(left.size === 0 ? nothing : { ...state.get(), rows: left })
    },
    show(rows: readonly SelectableRow[], filters: string) {
      if (filters !== shownFilters) state.set(nothing)
      shownFilters = filters
      page.set(rows)
    },
  }
}

export type RowSelection = ReturnType<typeof createSelection>

/** The selections by the name of their list. The shell creates a new map for each session. */
const SelectionsContext = createContext<Map<string, RowSelection> | null>(null)

export const SelectionsProvider = SelectionsContext.Provider

export function useSelectionOf(list: string): RowSelection {
  const selections = useContext(SelectionsContext)
  if (!selections) throw new Error('useSelectionOf is for pages of the shell')
  const selection = selections.get(list) ?? createSelection()
  selections.set(list, selection)
  return selection
}

export const isSelecting = ({ rows, isAll, isOn }: Selected): boolean => isOn || isAll || rows.size > 0

/** How many rows of the page are selected; `empty` if no row can be selected. */
export function usePageSelection({ state, page }: RowSelection): 'all' | 'some' | 'none' | 'empty' {
  const shown = useSelector(page)
  return useSelector(state, ({ rows, isAll }) => {
    if (shown.length === 0) return 'empty'
    const chosen = shown.filter(({ id }) => isAll || rows.has(id)).length
    if (chosen === 0) return 'none'
    return chosen === shown.length ? 'all' : 'some'
  })
}
