import { createAtom } from '@tanstack/react-store'

interface Toast {
  /** Replaces a toast with the same id. */
  id?: string | undefined
  kind: 'success' | 'undo' | 'error'
  text: string
  /** Advice. */
  note?: string | undefined
  /** A button of the toast. */
  action?: { label: string; onPress: () => unknown }
}
/** Where toasts are shown. */
interface Area {
  show: (toast: Toast) => void
  /** @param id absent for all */
  dismiss: (id?: string) => void
}

let area: Area | undefined
let waiting: Toast[] = []

/** Whether the code of the toast area is to be loaded. */
export const toastsWanted = createAtom(false)

/** Loads the toast area early, because assistive technology only announces changes of an existing live region. */
export function prepareToasts(): void {
  toastsWanted.set(true)
}

function add(toast: Toast): void {
  prepareToasts()
  if (area) area.show(toast)
  else waiting.push(toast)
}

/** Shows a message for a few seconds. */
export const toast = {
  success: (text: string): void => add({ kind: 'success', text }),
  /** Offers to take back what was just done. */
  undo: (text: string, onPress: () => unknown): void => add({ kind: 'undo', text, action: { label: 'Undo', onPress } }),
  /** @param id to dismiss it */
  error: (text: string, note?: string, id?: string): void => add({ kind: 'error', text, note, id }),
  /** Removes a toast when what it is about has gone: all toasts at the end of a session. */
  dismiss: (id?: string): void => {
    waiting = id === undefined ? [] : waiting.filter((one) => one.id !== id)
    area?.dismiss(id)
  },
}

/** Registers the area, and shows waiting toasts. @returns a function that removes it */
export function showToasts(next: Area): () => void {
  area = next
  for (const early of waiting.splice(0)) next.show(early)
  return () => {
    area = undefined
  }
}
