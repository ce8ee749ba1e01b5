import { useMemo, useState } from 'react'
import { store, tryStorage } from '@/browser/try-storage'
import { fittingColumns, type SizedColumn } from './column-widths'
import { useListWidth } from './list-width'

export interface ColumnChoice {
  columns: readonly { header: string; isShown: boolean }[]
  toggle: (header: string) => void
  reset: (() => void) | undefined
}

const SEPARATOR = '\n'

/** The columns chosen in this browser, or else those that fit. @returns the same array until the columns change */
export function useShownColumns<Column extends SizedColumn & { isExtra?: true }>(
  list: string,
  columns: readonly Column[],
  hasBoxes: boolean,
): [shown: readonly Column[], choice: ColumnChoice] {
  const key = `columns:${list}`
  const [chosen, setChosen] = useState(() => tryStorage(() => localStorage.getItem(key)) ?? undefined)
  const usual = useMemo(() => columns.filter(({ isExtra }) => !isExtra), [columns])
  const fitting = useListWidth((width) => namesOf(fittingColumns(usual, hasBoxes, width)))
  const names = chosen ?? fitting
  const shown = useMemo(() => {
    const all = new Set(names.split(SEPARATOR))
    return columns.filter(({ header, role }) => role !== undefined || all.has(header))
  }, [columns, names])

  function set(next: string | undefined): void {
    if (next === undefined) tryStorage(() => localStorage.removeItem(key))
    else store('localStorage', key, next)
    setChosen(next)
  }

  return [
    shown,
    {
      columns: columns
        .filter(({ role }) => role === undefined)
        .map((column) => ({ header: column.header, isShown: shown.includes(column) })),
      toggle: (header) => set(namesOf(columns.filter((one) => shown.includes(one) !== (one.header === header)))),
      reset: chosen === undefined ? undefined : () => set(undefined),
    },
  ]
}

const namesOf = (columns: readonly SizedColumn[]): string => columns.map(({ header }) => header).join(SEPARATOR)
