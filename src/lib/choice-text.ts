/** The label of a choice's value, such as `In Progress` for `in_progress`. */
export function choiceText(value: string): string {
  const words = value.split('_').map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
  return words.join(' ')
}
