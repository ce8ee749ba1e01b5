import { type Atom, createAtom, useSelector } from '@tanstack/react-store'
import { type ReactNode, useId, useState } from 'react'
import { Checkbox } from '../ui/checkbox'

/** The selected rows; `null` outside of selection mode. Not a React state, so that a change renders only one row. */
export type RowSelection = Atom<ReadonlySet<string> | null>

export function useRowSelection(): { selection: RowSelection; isSelecting: boolean } {
  const [selection] = useState(() => createAtom<ReadonlySet<string> | null>(null))
  const isSelecting = useSelector(selection, (ids) => ids !== null)
  return { selection, isSelecting }
}

interface SelectableProps {
  selection: RowSelection
  id: string
  /** The name of the row. */
  name: string
  /** Why the row cannot be selected. */
  disabledFor?: string | undefined
  /** The picture of the row. */
  children: ReactNode
}

/** The picture of a row, or a checkbox in selection mode. */
export function Selectable({ selection, id, name, disabledFor, children }: SelectableProps) {
  const isChoosing = useSelector(selection, (ids) => ids !== null)
  const isChosen = useSelector(selection, (ids) => ids?.has(id) ?? false)
  const inputId = useId()
  if (!isChoosing) return children
  return (
    // As large as the picture.
    <label htmlFor={inputId} className="grid size-8 place-items-center pointer-coarse:-m-1.5 pointer-coarse:size-11">
      <span className="sr-only">Select {name}</span>
      <Checkbox
        id={inputId}
        title={disabledFor}
        disabled={disabledFor !== undefined}
        checked={isChosen}
        onChange={({ target }) => {
          const ids = new Set(selection.get())
          if (target.checked) ids.add(id)
          else ids.delete(id)
          selection.set(ids)
        }}
      />
    </label>
  )
}
