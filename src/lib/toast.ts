import { createAtom } from '@tanstack/react-store'

interface Toast {
  kind: 'success' | 'undo' | 'error'
  text: string
  /** Advice. */
  note?: string | undefined
  /** A button of the toast. */
  action?: { label: string; onPress: () => unknown }
}
type Show = (toast: Toast) => void

let show: Show | undefined
const waiting: Toast[] = []

/** Whether the code of the toast area is to be loaded. */
export const toastsWanted = createAtom(false)

/** Loads the toast area early, because assistive technology only announces changes of an existing live region. */
export function prepareToasts(): void {
  toastsWanted.set(true)
}

function add(toast: Toast): void {
  prepareToasts()
  if (show) show(toast)
  else waiting.push(toast)
}

/** Shows a message for a few seconds. */
export const toast = {
  success: (text: string): void => add({ kind: 'success', text }),
  /** Offers to take back what was just done. */
  undo: (text: string, onPress: () => unknown): void => add({ kind: 'undo', text, action: { label: 'Undo', onPress } }),
  error: (text: string, note?: string): void => add({ kind: 'error', text, note }),
}

/** Registers the function that shows toasts, and shows waiting ones. @returns a function that removes it */
export function showToasts(next: Show): () => void {
  show = next
  for (const early of waiting.splice(0)) next(early)
  return () => {
    show = undefined
  }
}
