interface Toast {
  kind: 'success' | 'error'
  text: string
}
type Show = (toast: Toast) => void

let show: Show | undefined
const waiting: Toast[] = []
let wanted = false
const wantedListeners = new Set<() => void>()

/** Has the toast area loaded ahead of need, so that it stands, and assistive technology knows it, before it speaks. */
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

/** Says something in passing. What shows it (components/ui/toaster.tsx) is loaded on first use. */
export const toast = {
  success: (text: string): void => add({ kind: 'success', text }),
  error: (text: string): void => add({ kind: 'error', text }),
}

/** Takes over the showing, beginning with what was said before. @returns how to give it back */
export function showToasts(next: Show): () => void {
  show = next
  for (const early of waiting.splice(0)) next(early)
  return () => {
    show = undefined
  }
}

/** Whether anything has been, or is about to be, said; with `onToastsWanted`, for `useSyncExternalStore`. */
export function areToastsWanted(): boolean {
  return wanted
}

export function onToastsWanted(listener: () => void): () => void {
  wantedListeners.add(listener)
  return () => wantedListeners.delete(listener)
}
