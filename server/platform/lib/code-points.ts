/** The length of a text in code points, as in all bounds: an emoji counts as one. */
export function countCodePoints(text: string): number {
  return Array.from(text).length
}
