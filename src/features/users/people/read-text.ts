import { UserError } from '@/data/api/errors'
import { readBytes } from '@/data/given-file'

export const MAX_BYTES = 2 * 1024 ** 2

const ADVICE = 'Save it as “CSV UTF-8”.'

const marks = [
  { bytes: [0xff, 0xfe], encoding: 'utf-16le' },
  { bytes: [0xfe, 0xff], encoding: 'utf-16be' },
]

const workbooks = [
  { bytes: [0x50, 0x4b, 0x03, 0x04], kind: 'an Excel or OpenDocument workbook' },
  { bytes: [0xd0, 0xcf, 0x11, 0xe0], kind: 'an old Excel workbook' },
]

/** Other text than UTF-8 and UTF-16 is read as Windows-1252, which Excel writes. @throws UserError if unreadable */
export async function readText(file: File): Promise<{ text: string; isGuessed: boolean }> {
  if (file.size > MAX_BYTES) throw new UserError('The file is larger than 2 MiB.')
  const content = new Uint8Array(await readBytes(file))
  if (content.length === 0) throw new UserError('The file is empty.')
  const startsWith = ({ bytes }: { bytes: number[] }) => bytes.every((byte, index) => content[index] === byte)
  const workbook = workbooks.find(startsWith)
  if (workbook) throw new UserError(`The file is ${workbook.kind}, not CSV. ${ADVICE}`)
  const encoding = marks.find(startsWith)?.encoding ?? 'utf-8'
  const known = decode(content, encoding)
  const text = known ?? (encoding === 'utf-8' ? decode(content, 'windows-1252') : undefined)
  // Tables contain no such control characters, so this is another encoding or no text.
  if (text === undefined || /[\0\u0080-\u0084\u0086-\u009F]/.test(text))
    throw new UserError(`The file is not UTF-8 text. ${ADVICE}`)
  return { text, isGuessed: known === undefined }
}

function decode(content: Uint8Array<ArrayBuffer>, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(content)
    // Some programs fill the last block with zeros, or write the end-of-file character of DOS.
    let end = text.length
    while (end > 0 && (text[end - 1] === '\0' || text[end - 1] === '\u001A')) end -= 1
    return text.slice(0, end)
  } catch {
    return undefined
  }
}
