import { createAtom, useSelector } from '@tanstack/react-store'
import { Check, RotateCcw } from 'lucide-react'
import { useMemo, useState } from 'react'
import { store, tryStorage } from '@/browser/try-storage'
import type { MenuEntry } from '../radix-menu'
import type { Column } from './column'
import { fittingColumns } from './column-widths'

/** The width of the list that was shown last, in rem. All lists have the same width. */
export const listWidth = createAtom(Infinity)

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

const SEPARATOR = '\n'

/** The columns chosen in this browser, or else those that fit: the same array until they change, and a menu for them. */
export function useShownColumns<Row>(
  list: string,
  columns: readonly Column<Row>[],
): [shown: readonly Column<Row>[], menu: readonly MenuEntry[]] {
  const key = `columns:${list}`
  const [chosen, setChosen] = useState(() => tryStorage(() => localStorage.getItem(key)) ?? undefined)
  const usual = useMemo(() => columns.filter(({ isExtra }) => !isExtra), [columns])
  const fitting = useSelector(listWidth, (width) => namesOf(fittingColumns(usual, width)))
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

  const chosenColumns = columns
    .filter(({ role }) => role === undefined)
    .map((column) => ({
      label: column.header,
      icon: Check,
      isChecked: shown.includes(column),
      onSelect: () => set(namesOf(columns.filter((one) => shown.includes(one) !== (one.header === column.header)))),
    }))
  const reset = { label: 'Show what fits', icon: RotateCcw, onSelect: () => set(undefined) }
  return [shown, chosen === undefined ? chosenColumns : [...chosenColumns, reset]]
}

const namesOf = (columns: readonly Column<never>[]): string => columns.map(({ header }) => header).join(SEPARATOR)
