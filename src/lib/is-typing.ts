/** Whether a key belongs to a text or a choice, so that it must not act on the page. */
export function isTyping(target: EventTarget | null): boolean {
  const controls = 'input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]'
  return target instanceof Element && target.closest(controls) !== null
}
