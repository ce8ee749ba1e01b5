import { createAtom } from '@tanstack/react-store'
import type { RefObject } from 'react'

type Values = Record<string, unknown>

/** A visible form. Its text must not be lost by a reload, by leaving its page, or by the end of the session. */
export interface Editor {
  /** The title of its draft. A form without one leaves no draft, and does not ask before it is left. */
  title: string | undefined
  values: () => Values
  /** The values without changes by the user. */
  defaults: () => Values
  /** The dialog of the form. */
  dialog?:
    | {
        opener: RefObject<HTMLElement | null>
        /** Whether the search parameters of a URL contain the dialog. */
        isInSearch: (search: object) => boolean
      }
    | undefined
}

export const editors = createAtom<readonly Editor[]>([])

/** @returns a function that removes it */
export function registerEditor(editor: Editor): () => void {
  editors.set([...editors.get(), editor])
  return () => editors.set(editors.get().filter((one) => one !== editor))
}

/** Whether the user has changed values. */
export function isChanged(values: Values, defaults: Values): boolean {
  return JSON.stringify(values) !== JSON.stringify(defaults)
}

export function hasChanges({ values, defaults }: Pick<Editor, 'values' | 'defaults'>): boolean {
  return isChanged(values(), defaults())
}

/** Whether a reload would lose typed text. */
export function hasUnsavedText(): boolean {
  return editors.get().some(hasChanges)
}
