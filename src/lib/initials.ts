// Creating a segmenter costs as much as rendering a row.
const segmenter = new Intl.Segmenter()

/** The first letter of each word of the name, or of the email address, in upper case. */
export function initials({ full_name, email }: { full_name: string | null; email: string }): string {
  const words = full_name?.trim().split(/\s+/).filter(Boolean) ?? []
  const letters = words.length > 0 ? words.map(firstLetter).join('') : firstLetter(email)
  return letters.toLocaleUpperCase()
}

/** The initials that fit into a circle. */
export function shortInitials(user: { full_name: string | null; email: string }): string {
  const letters = Array.from(segmenter.segment(initials(user)), ({ segment }) => segment)
  return letters.slice(0, 2).join('')
}

function firstLetter(text: string): string {
  for (const { segment } of segmenter.segment(text)) return segment
  return ''
}
