import { Readable } from 'node:stream'
import type { FastifyReply } from 'fastify'
import contract from '../../../openapi.json' with { type: 'json' }
import { type Resource, toPublic } from './to-public.ts'

const { schemas } = contract.components

/** The fields of a resource, in the order of the contract. */
export function fieldsOf(schema: 'UserPublic' | 'ItemPublic'): string[] {
  return Object.keys(schemas[schema].properties)
}

/**
 * Answers with a file of all rows, as they are read: a part at a time, as fast as the client takes them.
 * @param name of the file, before the date
 * @throws what the first part throws; a later failure breaks the answer off
 */
export async function sendCsv<T extends Resource>(
  reply: Pick<FastifyReply, 'header'>,
  name: string,
  fields: readonly string[],
  parts: AsyncGenerator<T[]>,
): Promise<never> {
  const first = await parts.next()

  async function* lines(): AsyncGenerator<string> {
    try {
      yield `\uFEFF${toLine(fields)}`
      if (first.done) return
      yield toLines(first.value)
      for await (const rows of parts) yield toLines(rows)
    } finally {
      await parts.return(undefined)
    }
  }

  const toLines = (rows: T[]): string =>
    rows
      .map((row) => toPublic(row) as Record<string, unknown>)
      .map((row) => toLine(fields.map((field) => row[field])))
      .join('')
  const date = new Date().toISOString().slice(0, 10)
  reply.header('content-type', 'text/csv; charset=utf-8')
  reply.header('content-disposition', `attachment; filename="${name}-${date}.csv"`)
  // The contract describes the file as a text, and that is what the types say.
  return Readable.from(lines(), { highWaterMark: 1 }) as unknown as never
}

/** A line of CSV (RFC 4180). */
export function toLine(values: readonly unknown[]): string {
  return `${values.map(toCell).join(',')}\r\n`
}

function toCell(value: unknown): string {
  const text = value === null || value === undefined ? '' : String(value)
  // A spreadsheet would take it for a formula.
  const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
