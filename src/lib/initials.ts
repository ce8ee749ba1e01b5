/** First letter of each word of the name, or the first of the address, uppercased (SPEC 3). */
export function initials({ full_name, email }: { full_name: string | null; email: string }): string {
  const words = full_name?.trim().split(/\s+/).filter(Boolean) ?? []
  const letters = words.length > 0 ? words.map(firstLetter).join('') : firstLetter(email)
  return letters.toLocaleUpperCase()
}

/** A whole character as a person sees it, also where it is made of several code points. */
function firstLetter(text: string): string {
  for (const { segment } of new Intl.Segmenter().segment(text)) return segment
  return ''
}
