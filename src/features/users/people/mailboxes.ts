/** A person in the form of mail programs, such as `Ada Lovelace <ada@example.com>`. */
interface Mailbox {
  address: string
  name: string | null
  /** The index in the text. */
  from: number
}

/** Longer texts are invalid anyway. They are not cleaned, which would take quadratic time. */
const MAX_UNITS = 1024

// Separators between people. Inside quotes and parentheses, they are a part of the name.
const pieces = /(?:"[^"]*"|\([^();]*\)|[^,;])+/g
const bracketed = /[<([]\s*([^\s<>()[\]@]*@[^\s<>()[\]]*)\s*(?:[>)\]]|$)/g
const bullet = /^\s*(?:[•‣▪◦●○·]\s*|(?:[-–—*]|\d{1,4}[.)])\s+)/

/** Replaces full-width separators and other line ends. The length stays the same, so that indexes stay correct. */
const plain = (text: string): string =>
  text
    .replaceAll(/[，；：＜＞（）［］＠＂＇]/g, (sign) => sign.normalize('NFKC'))
    .replaceAll('、', ',')
    .replaceAll(/[\r\u0085\u2028\u2029]/g, '\n')

export const isAddress = ({ address }: Mailbox): boolean => address.includes('@')

export function findMailboxes(given: string): Mailbox[] {
  const text = plain(given)
  return inLines(text).flatMap((line) =>
    named(
      line.flatMap((piece) => named(piece, text)),
      text,
    ),
  )
}

/** The people in a cell. Words before an address count as people, so that the cell is refused and nobody is skipped. */
export const findInCell = (given: string): Mailbox[] => inLines(plain(given)).flat(2)

/** If a line or a part between separators has only one address, the text before it is the name. */
function named(found: Mailbox[], text: string): Mailbox[] {
  const at = found.findIndex(isAddress)
  const [first] = found
  const one = found[at]
  if (!first || !one || at === 0 || found.findLastIndex(isAddress) !== at) return found
  const name = toName([text.slice(first.from, one.from).trimEnd(), one.name ?? ''])
  return name === null ? found : [{ ...one, name, from: first.from }, ...found.slice(at + 1)]
}

const inLines = (text: string): Mailbox[][][] =>
  Array.from(text.matchAll(/[^\n]+/g), ({ 0: line, index }) => inLine(line, index))

function inLine(line: string, start: number): Mailbox[][] {
  const parts: Word[] = []
  for (const { 0: piece, index: from } of line.matchAll(pieces)) {
    const before = parts.at(-1)
    const isNext = before && !before.text.includes('@') && line.slice(before.from, from) === `${before.text},`
    // The second half of `Lovelace, Ada <ada@example.com>`.
    if (isNext && /^[^@]*[<([][^<>()[\]]*@/.test(piece)) before.text += `,${piece}`
    else parts.push({ text: piece, from })
  }
  return parts.map(({ text, from }) => inPiece(text, start + from))
}

function inPiece(piece: string, from: number): Mailbox[] {
  const text = piece.replace(bullet, (sign) => ' '.repeat(sign.length))
  const found: Mailbox[] = []
  let end = 0
  for (const { 0: whole, 1: address = '', index } of text.matchAll(bracketed)) {
    const words = wordsOf(text.slice(end, index), from + end)
    // The word before a bracket is a name, even if it looks like an address.
    const last = words.at(-1)?.text.includes('@') ? words.length - 1 : words.length
    const own = words.slice(0, last).findLastIndex((word) => word.text.includes('@')) + 1
    found.push(...words.slice(0, own).flatMap(mailboxesIn))
    const name = toName(words.slice(own, last).map((word) => word.text))
    found.push({ address: toAddress(address), name, from: words[own]?.from ?? from + index })
    end = index + whole.length
  }
  const words = wordsOf(text.slice(end), from + end)
  const [first] = words
  if (!first) return found
  const [one, another] = words.filter((word) => word.text.includes('@'))
  const others = words.map((word) => word.text).filter((word) => !word.includes('@'))
  const last = found.at(-1)
  if (one && !another && (text.includes('\t') || isWrapped(others.join(' '))))
    found.push({ address: toAddress(one.text), name: toName(others), from: first.from })
  else if (one) found.push(...words.flatMap(mailboxesIn))
  else if (last) last.name ??= toName(others)
  else found.push(...mailboxesIn({ text: words.map((word) => word.text).join(' '), from: first.from }))
  return found
}

interface Word {
  text: string
  from: number
}

const wordsOf = (text: string, from: number): Word[] =>
  Array.from(text.matchAll(/\S+/g), ({ 0: word, index }) => ({ text: word, from: from + index }))

function mailboxesIn({ text, from }: Word): Mailbox[] {
  const address = toAddress(text)
  return address === '' ? [] : [{ address, name: null, from }]
}

function toAddress(text: string): string {
  if (text.length > MAX_UNITS) return text
  const visible = text.replaceAll(/\p{Default_Ignorable_Code_Point}|"/gu, '').replace(/^'(.*)'$/, '$1')
  const bare = visible.replace(/^[<([“”‘«]+/, '').replace(/[>)\]'”’».。:]+$/, '')
  return /^mailto:/i.test(bare) ? bare.slice('mailto:'.length).replace(/\?.*/, '') : bare
}

const isWrapped = (text: string): boolean => /^(?:".*"|'.*'|\(.*\)|\[.*\]|“.*”|‘.*’)$/.test(text)

/** A name in one line, as accounts have it. Quoted cells may contain line ends and tabs. */
export const oneLine = (name: string): string => name.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()

function toName(words: readonly string[]): string | null {
  let name = oneLine(words.join(' '))
  if (name.length > MAX_UNITS) return name
  while (isWrapped(name)) name = name.slice(1, -1).trim()
  name = name.replaceAll(/["<>]/g, '').replaceAll(/^[\s,;:|–—-]+|[\s,;:|–—-]+$/g, '')
  return /\p{L}/u.test(name) && !name.includes('@') ? name : null
}
