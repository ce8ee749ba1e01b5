// Creating a segmenter costs as much as rendering a row.
const segmenter = new Intl.Segmenter()

const lettersOf = (text: string): string[] => Array.from(segmenter.segment(text), ({ segment }) => segment)

const firstLetter = (text: string): string => lettersOf(text)[0] ?? ''

/** The first letter of each word of the name, or of the email address, in upper case. */
export function initials({ full_name, email }: { full_name: string | null; email: string }): string {
  const words = full_name?.trim().split(/\s+/).filter(Boolean) ?? []
  const letters = words.length > 0 ? words.map(firstLetter).join('') : firstLetter(email)
  return letters.toLocaleUpperCase()
}

export function shortInitials(user: { full_name: string | null; email: string }): string {
  return lettersOf(initials(user)).slice(0, 2).join('')
}
