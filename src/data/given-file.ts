import { isolate } from '@/lib/text'
import { UserError } from './api/errors'

export function givenFile({ files, items }: DataTransfer): File | undefined {
  const [file] = files
  const item = Array.from(items).find(({ kind }) => kind === 'file')
  if (file && item?.webkitGetAsEntry()?.isDirectory) throw new UserError(`${nameOf(file)} is a folder. Choose a file.`)
  return file
}

/** The first bytes of a file, or all. @throws UserError if they cannot be read */
export async function readBytes(file: File, end?: number): Promise<ArrayBuffer> {
  // A deleted file may report a size of 0, and reading a slice would then not fail.
  const part = end === undefined || file.size === 0 ? file : file.slice(0, end)
  try {
    return await part.arrayBuffer()
  } catch (cause) {
    const isGone = cause instanceof DOMException && cause.name === 'NotFoundError'
    const reason = isGone
      ? 'is no longer there. It was moved, renamed or deleted.'
      : 'cannot be read. It was changed since you chose it, or another program has it open.'
    throw new UserError(`${nameOf(file)} ${reason}`, { cause })
  }
}

const nameOf = ({ name }: File): string => `“${isolate(name)}”`
