// The head script holds events until the code of a prerendered page has loaded and can handle them.

declare global {
  interface Window {
    /** @param now finds the element that replaced a prerendered one */
    releaseHeldEvents?: (now: (element: HTMLElement) => HTMLElement | undefined) => void
  }
}

export function holdEvents(): void {
  const held = new Set<HTMLElement>()
  const hold = (event: Event): void => {
    const target = event.target as HTMLElement
    const control = event.type === 'submit' ? target : target.closest<HTMLElement>('button[type=button], a[data-hold]')
    if (!control) return
    event.preventDefault()
    event.stopPropagation()
    held.add(control)
  }
  for (const type of ['submit', 'click']) addEventListener(type, hold, { capture: true })
  window.releaseHeldEvents = (now) => {
    delete window.releaseHeldEvents
    for (const type of ['submit', 'click']) removeEventListener(type, hold, { capture: true })
    for (const control of held) {
      const target = now(control)
      if (target instanceof HTMLFormElement) target.requestSubmit()
      else target?.click()
    }
  }
}

let carryOver = (): Map<HTMLElement, HTMLElement> => new Map()

// If password managers or translation have changed the page, React replaces its elements instead of hydrating them.
// Typed text, the focus and held events are then moved to the new elements.
export function keepControls(page: HTMLElement): void {
  const before = controlsIn(page)
  let focused = document.activeElement
  const onFocus = ({ target }: FocusEvent): void => void (focused = target as Element)
  // In the capture phase, because React stops events of parts that it has not hydrated yet.
  page.addEventListener('focusin', onFocus, { capture: true })
  carryOver = () => {
    page.removeEventListener('focusin', onFocus, { capture: true })
    const after = controlsIn(page)
    const replaced = new Map<HTMLElement, HTMLElement>()
    for (const [kind, controls] of before)
      for (const [index, old] of controls.entries()) {
        const control = after.get(kind)?.[index]
        if (old.isConnected || !control) continue
        replaced.set(old, control)
        if (old instanceof HTMLInputElement) typeInto(control as HTMLInputElement, old.value)
        if (old === focused) focusLike(old, control)
      }
    return replaced
  }
}

/** The controls by what is equal in the prerendered page and after hydration. Controls of browser extensions have other classes. */
const controlsIn = (page: HTMLElement): Map<string, HTMLElement[]> =>
  Map.groupBy(
    page.querySelectorAll<HTMLElement>('a, button, form, input'),
    (control) => `${control.tagName} ${control.getAttribute('name') ?? ''} ${control.className}`,
  )

/** Uses the prototype's setter, because React overrides that of the element and would ignore the change. */
function typeInto(input: HTMLInputElement, value: string): void {
  // Text that was typed into the new input stays.
  if (input.value !== input.defaultValue || input.value === value) return
  Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, value)
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

function focusLike(old: HTMLElement, control: HTMLElement): void {
  control.focus({ preventScroll: true })
  if (!(old instanceof HTMLInputElement)) return
  const { selectionStart, selectionEnd } = old
  // Inputs of type `email` have no selection.
  if (selectionStart !== null) (control as HTMLInputElement).setSelectionRange(selectionStart, selectionEnd)
}

export function releaseHeldEvents(): void {
  if (!window.releaseHeldEvents) return
  const replaced = carryOver()
  window.releaseHeldEvents((element) => (element.isConnected ? element : replaced.get(element)))
}
