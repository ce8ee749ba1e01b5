/** The length of a text in code points, as for each `maxLength` in openapi.json: an emoji counts as one. */
export function countCodePoints(text: string): number {
  return Array.from(text).length
}
