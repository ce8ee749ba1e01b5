// Prerendered pages can be used before their code has loaded (src/html/prerender.tsx). The head script holds events
// that need the code, and the application replays them after hydration.

declare global {
  interface Window {
    /** Shared by the head script and the application. */
    releaseHeldEvents?: () => void
  }
}

/** Holds submissions and presses of buttons until hydration. */
export function holdEvents(): void {
  const held = new Map<Element, () => void>()
  const hold = (event: Event): void => {
    const target = event.target as Element
    const form = event.type === 'submit' ? (target as HTMLFormElement) : null
    const button = event.type === 'click' ? target.closest<HTMLElement>('button[type=button]') : null
    if (!form && !button) return
    event.preventDefault()
    event.stopPropagation()
    if (form) held.set(form, () => form.requestSubmit())
    if (button) held.set(button, () => button.click())
  }
  for (const type of ['submit', 'click']) addEventListener(type, hold, { capture: true })
  window.releaseHeldEvents = () => {
    delete window.releaseHeldEvents
    for (const type of ['submit', 'click']) removeEventListener(type, hold, { capture: true })
    for (const repeat of held.values()) repeat()
  }
}

/** Called after hydration. */
export function releaseHeldEvents(): void {
  window.releaseHeldEvents?.()
}
