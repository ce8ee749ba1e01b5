/** The beginnings of formulas, as in exports of the server, also behind separators of other languages. */
const FORMULAS = /(^ *|[;\t\r\n][ "]*)(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

/** A text that no spreadsheet takes for a formula. An import gives the text back. */
export function withoutFormulas(text: string): string {
  return text.replaceAll(FORMULAS, "$1'").replace(/^(?=[\t\r])/, "'")
}

/** CSV (RFC 4180) that spreadsheets open as UTF-8. */
export function toCsv(rows: readonly (readonly string[])[]): string {
  return `\uFEFF${rows.map((cells) => `${cells.map(toCell).join(',')}\r\n`).join('')}`
}

function toCell(text: string): string {
  const harmless = withoutFormulas(text)
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
