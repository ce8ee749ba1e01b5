import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import contract from '../../../openapi.json' with { type: 'json' }

const { schemas } = contract.components

/** The fields of a resource, in the order of the contract. */
export function fieldsOf(schema: keyof typeof schemas & `${string}Public`): string[] {
  return Object.keys(schemas[schema].properties)
}

/**
 * Streams a file of all rows in parts, as fast as the client reads.
 * @param name of the file, before the date
 * @throws what the first part throws; a later failure aborts the response
 */
export async function sendCsv<T>(
  reply: Pick<FastifyReply, 'header' | 'raw'>,
  name: string,
  fields: readonly string[],
  parts: AsyncGenerator<T[]>,
  toRow: (found: T) => object,
): Promise<never> {
  const first = await parts.next()

  async function* lines(): AsyncGenerator<string> {
    yield `\uFEFF${toLine(fields)}`
    if (first.done) return
    yield toLines(first.value)
    for await (const rows of parts) yield toLines(rows)
  }

  const toLines = (found: T[]): string =>
    found
      .map((one) => toRow(one) as Record<string, unknown>)
      .map((row) => toLine(fields.map((field) => row[field])))
      .join('')
  const date = new Date().toISOString().slice(0, 10)
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${name}-${date}.csv"`)
  const file = Readable.from(lines(), { highWaterMark: 1 })
  // Also when the connection closes before anything was sent.
  reply.raw.once('close', () => {
    file.destroy()
    void parts.return(undefined)
  })
  // The contract, and so the type, describes the file as text.
  return file as unknown as never
}

/** A line of CSV (RFC 4180). */
function toLine(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

function toCell(value: unknown): string {
  const text = typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value)
  // A spreadsheet would evaluate it as a formula.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
