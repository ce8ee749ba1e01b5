/**
 * Keeps the keys of an input method from the page, such as Enter or Escape while it composes a word.
 * @returns a function that ends this
 */
export function ignoreInputMethods(): () => void {
  // Before all other handlers, also those of libraries.
  addEventListener('keydown', ignoreIfComposing, { capture: true })
  return () => removeEventListener('keydown', ignoreIfComposing, { capture: true })
}

function ignoreIfComposing(event: KeyboardEvent): void {
  // In Safari a composition ends before its last key, which has only this code.
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
}

/** The letter of a key for a shortcut: of the layout if it has Latin letters, else the one at this place of a keyboard. */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  return (key > '\u007F' ? code.replace(/^Key/, '') : key).toLowerCase()
}

/** Whether a key belongs to a text or a choice, so that it must not act on the page. */
export function isTyping(target: EventTarget | null): boolean {
  const controls = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
  return target instanceof Element && target.closest(controls) !== null
}
