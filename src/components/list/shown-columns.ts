import { createAtom, useSelector } from '@tanstack/react-store'
import { useMemo, useState } from 'react'
import { store, tryStorage } from '@/browser/try-storage'
import { fittingColumns, type SizedColumn } from './column-widths'

/** The width of the list that was shown last, in rem. All lists have the same width. */
const listWidth = createAtom(Infinity)

/** A `ref` for the element around a list. Measures it before its first paint. */
export function measureList(element: HTMLElement | null): (() => void) | undefined {
  if (!element) return undefined
  const observer = new ResizeObserver(() => {
    const width = element.clientWidth / Number.parseFloat(getComputedStyle(document.documentElement).fontSize)
    // The element of a hidden page has no width.
    if (width > 0) listWidth.set(width)
  })
  observer.observe(element)
  return () => observer.disconnect()
}

/** A value that depends on the width of a list. Renders again only if that value changes. */
export const useListWidth = <Result extends string | number | boolean>(select: (width: number) => Result): Result =>
  useSelector(listWidth, select)

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
