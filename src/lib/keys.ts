/**
 * Keeps the keys of an input method from the page, such as Enter or Escape while it composes a word.
 * @returns a function that ends this
 */
export function ignoreInputMethods(): () => void {
  // Captures events before the handlers of libraries see them.
  addEventListener('keydown', ignoreIfComposing, { capture: true })
  return () => removeEventListener('keydown', ignoreIfComposing, { capture: true })
}

function ignoreIfComposing(event: KeyboardEvent): void {
  // In Safari a composition ends before its last key event, which only the key code 229 reveals.
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
}

/**
 * The letter of a key for a shortcut. On layouts without Latin letters, it is the letter at this place of a US
 * keyboard.
 */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  return (key > '\u007F' ? code.replace(/^Key/, '') : key).toLowerCase()
}

/** Whether a key belongs to a text or a choice, so that it must not act on the page. */
export function isTyping(target: EventTarget | null): boolean {
  const controls = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
  return target instanceof Element && target.closest(controls) !== null
}
