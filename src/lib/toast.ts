interface Toast {
  kind: 'success' | 'error'
  text: string
  /** What can be done about it. */
  note?: string | undefined
}
type Show = (toast: Toast) => void

let show: Show | undefined
const waiting: Toast[] = []
let wanted = false
const wantedListeners = new Set<() => void>()

/** Loads the toast area ahead: assistive technology has to know a live region before it speaks. */
export function prepareToasts(): void {
  if (wanted) return
  wanted = true
  for (const listener of wantedListeners) listener()
}

function add(toast: Toast): void {
  prepareToasts()
  if (show) show(toast)
  else waiting.push(toast)
}

/** Shows a message for a few seconds. */
export const toast = {
  success: (text: string): void => add({ kind: 'success', text }),
  error: (text: string, note?: string): void => add({ kind: 'error', text, note }),
}

/** Shows toasts from now on, and those that wait. @returns a function that stops it */
export function showToasts(next: Show): () => void {
  show = next
  for (const early of waiting.splice(0)) next(early)
  return () => {
    show = undefined
  }
}

/** With `onToastsWanted`, for `useSyncExternalStore`. */
export function areToastsWanted(): boolean {
  return wanted
}

export function onToastsWanted(listener: () => void): () => void {
  wantedListeners.add(listener)
  return () => wantedListeners.delete(listener)
}
