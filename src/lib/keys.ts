/** Hides the keys that an input method uses to compose words, such as Enter. @returns a function that ends this */
export function ignoreInputMethods(): () => void {
  // Captures events before the handlers of libraries get them.
  addEventListener('keydown', ignoreIfComposing, { capture: true })
  return () => removeEventListener('keydown', ignoreIfComposing, { capture: true })
}

function ignoreIfComposing(event: KeyboardEvent): void {
  // In Safari, composition ends before its last key event, which only the key code 229 reveals.
  if (event.isComposing || event.keyCode === 229) event.stopImmediatePropagation()
}

/** The typed letter. On layouts without Latin letters, it is the letter of the key on a US keyboard. */
export function letterOf({ key, code }: Pick<KeyboardEvent, 'key' | 'code'>): string {
  return (key > '\u007F' ? code.replace(/^Key/, '') : key).toLowerCase()
}

/** Whether keys are for a text or a choice, so that they must not act on the page. */
export function isTyping(target: EventTarget | null): boolean {
  const controls = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
  return target instanceof Element && target.closest(controls) !== null
}
