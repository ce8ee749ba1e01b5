export const HEAD_BYTES = 16

const ANY = 'application/octet-stream'

/** The first bytes of a content, as hex. */
const beginnings: [RegExp, string][] = [
  [/^89504e470d0a1a0a/, 'image/png'],
  [/^ffd8ff/, 'image/jpeg'],
  // GIF87a, GIF89a
  [/^47494638(37|39)61/, 'image/gif'],
  // RIFF, a size, WEBP
  [/^52494646.{8}57454250/, 'image/webp'],
  // %PDF-
  [/^255044462d/, 'application/pdf'],
  [/^504b0304/, 'application/zip'],
]

/** The media type of a content, whatever its name is. Anything else, such as HTML, SVG or other text, is just bytes. */
export function typeOf(head: Buffer): string {
  const text = head.subarray(0, HEAD_BYTES).toString('hex')
  return beginnings.find(([beginning]) => beginning.test(text))?.[1] ?? ANY
}

/** Whether a browser may show files of this type, because it runs no scripts in them. */
export function isHarmless(type: string): boolean {
  return /^image\/(png|jpeg|gif|webp)$/.test(type)
}
