import { readFileSync } from 'node:fs'

/** A file of settings that cannot be read. The message does not quote the file, which may contain secrets. */
export class UnreadableFile extends Error {
  override name = 'UnreadableFile'
}

/**
 * Reads a text without the byte order mark that editors on Windows add. A file in UTF-16 is recognized, because it is
 * not valid UTF-8 or contains zero bytes.
 * @throws UnreadableFile
 */
export function readSettingsText(file: string): string {
  let bytes
  try {
    bytes = readFileSync(file)
  } catch (error) {
    throw new UnreadableFile(`${file} cannot be read: ${(error as NodeJS.ErrnoException).code}`)
  }
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    if (!text.includes('\0')) return text.replace(/^\uFEFF+/, '')
  } catch {
    // The error is thrown below.
  }
  throw new UnreadableFile(`${file} is not UTF-8; save it as UTF-8`)
}

/**
 * Reads an env file: a setting in each line, comments after white space, quotation marks around a whole value. Node's
 * reader cuts values at each `#`, keeps a byte order mark, and leaves out lines that it does not understand.
 * @throws UnreadableFile that names all lines that cannot be read
 */
export function readEnvFile(file: string): Map<string, string> {
  const settings = new Map<string, string>()
  const errors: string[] = []
  for (const [index, line] of readSettingsText(file)
    .split(/\r\n|\n|\r/)
    .entries()) {
    const content = line.trim()
    if (content === '' || content.startsWith('#')) continue
    const refuse = (error: string): unknown => errors.push(`${file}: line ${index + 1} ${error}`)
    const [, name, given] = /^(?:export\s+)?([\w.-]+)\s*=(.*)$/s.exec(content) ?? []
    const [, quote, quoted] = /^\s*(["'`])((?:(?!\1).)*)\1(?:\s+#.*)?$/s.exec(given ?? '') ?? []
    if (name === undefined || given === undefined) refuse('is neither NAME=VALUE nor a comment')
    else if (quoted === undefined) {
      const value = given.replace(/\s#.*$/s, '').trim()
      if (/^["'`]/.test(value)) refuse('needs quotation marks around the whole value')
      else settings.set(name, value)
    } else if (quote === '"' && quoted.includes('\\')) refuse('needs single quotation marks because of its backslash')
    else settings.set(name, quoted)
  }
  if (errors.length > 0) throw new UnreadableFile(errors.join('\n'))
  return settings
}
