// Creating a segmenter costs as much as rendering a row.
const segmenter = new Intl.Segmenter()

function firstLetter(text: string): string {
  const [first] = segmenter.segment(text)
  return first?.segment ?? ''
}

/** The first letter of each word of the name, or of the email address, in upper case. */
export function initials({ full_name, email }: { full_name: string | null; email: string }): string {
  const words = full_name?.trim().split(/\s+/).filter(Boolean) ?? []
  const letters = words.length > 0 ? words.map(firstLetter).join('') : firstLetter(email)
  return letters.toLocaleUpperCase()
}

export function shortInitials(user: { full_name: string | null; email: string }): string {
  const [first, second] = segmenter.segment(initials(user))
  return `${first?.segment ?? ''}${second?.segment ?? ''}`
}
