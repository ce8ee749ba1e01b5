const MAX_LENGTH = 255

/** Control characters, and those that change the direction of the text around them. */
const HARMFUL = /[\p{Cc}\p{Cs}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu

export function toFileName(given: string): string {
  const [last = ''] = given.normalize('NFC').split(/[/\\]/).slice(-1)
  // Windows drops dots and blanks at the end, and a dot at the beginning hides a file.
  const name = last.replaceAll(HARMFUL, '').replace(/^[\s.]+|[\s.]+$/gu, '')
  const characters = Array.from(name || 'file')
  if (characters.length <= MAX_LENGTH) return characters.join('')
  const ending = /\.[^.]{1,16}$/u.exec(name)?.[0] ?? ''
  return characters.slice(0, MAX_LENGTH - Array.from(ending).length).join('') + ending
}

/** Returns a `Content-Disposition` header (RFC 6266), which also has an ASCII name for old clients. */
export function dispositionOf(name: string, isInline: boolean): string {
  const plain = name.normalize('NFKD').replaceAll(/[^\x20-\x7e]|["%\\]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `${isInline ? 'inline' : 'attachment'}; filename="${plain}"; filename*=UTF-8''${encoded}`
}
