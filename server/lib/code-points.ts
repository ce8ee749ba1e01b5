/** The length of a text as people count it more or less, and as all our bounds do: an emoji is one, not two. */
export function countCodePoints(text: string): number {
  return Array.from(text).length
}
