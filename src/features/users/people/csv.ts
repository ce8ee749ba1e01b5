/** The starts of formulas, also after separators of spreadsheets in other languages. server/lists/csv.ts has the same. */
const FORMULAS = /(^ *|[;\t\r\n][ "]*)(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** Protects a text from being read as a formula by spreadsheets. An import reverses this. */
export function escapeFormulas(text: string): string {
  return text.replaceAll(FORMULAS, "$1'").replace(/^(?=[\t\r])/, "'")
}

/** CSV (RFC 4180) with a byte order mark, so that spreadsheets read it as UTF-8. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`
}

function toCell(text: string): string {
  const harmless = escapeFormulas(text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
