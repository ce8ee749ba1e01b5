import { join } from 'node:path'
import type { FastifyReply, FastifyRequest } from 'fastify'
import contract from '../../openapi.json' with { type: 'json' }
import type { Context } from '../platform/context.ts'
import { serverBusy } from '../platform/errors.ts'
import { createTemporaryFiles, NoRoom } from '../platform/lib/temporary-files.ts'
import { callerOf } from '../sessions/request.ts'
import type { ExportTarget } from './exports.ts'

const { schemas } = contract.components

/** All files that are being written or sent have at most this size together. */
const MAX_BYTES = 4 * 1024 ** 3

interface ExportedField {
  name: string
  /** Whether the field is a decimal number, which is a text in JSON. */
  isDecimal?: boolean
}

export function fieldsOf(schema: keyof typeof schemas & `${string}Public`): ExportedField[] {
  const properties: Record<string, object> = schemas[schema].properties
  return Object.entries(properties).flatMap(([name, property]) =>
    name === 'version' ? [] : [{ name, isDecimal: 'x-decimal' in property }],
  )
}

export type SendCsv = ReturnType<typeof createCsv>

/**
 * Sends exports. Rows are first written to a temporary file, so that a slow client does not keep the database waiting,
 * and a failure is an error response instead of a cut file.
 */
export function createCsv(context: Context) {
  const files = createTemporaryFiles(join(context.config.dataDir, 'exports'), { maxBytes: MAX_BYTES })

  return async function sendCsv<T extends object>(
    request: FastifyRequest,
    reply: FastifyReply,
    { name, fields, toRow }: { name: string; fields: readonly ExportedField[]; toRow: (found: T) => object },
    run: (target: ExportTarget<T>) => Promise<void>,
  ): Promise<never> {
    const toLineOf = (found: T): string => {
      const row = toRow(found) as Record<string, unknown>
      return toLine(fields.map((field) => toCell(row[field.name], field.isDecimal)))
    }
    const { signal } = request
    const date = new Date().toISOString().slice(0, 10)
    reply.header('content-type', 'text/csv; charset=utf-8')
    reply.header('content-disposition', `attachment; filename="${name}-${date}.csv"`)
    if (request.method === 'HEAD') return '' as never
    const file = await files.open(callerOf(request).user.id).catch(toBusy)
    try {
      await file.append(`\uFEFF${toLine(fields.map((field) => toCell(field.name)))}`)
      await run({ write: (rows) => file.append(rows.map(toLineOf).join('')), signal })
    } catch (error) {
      await file.close()
      throw toBusy(error)
    }
    reply.header('content-length', file.size())
    const content = file.read()
    // The stream must end even if the connection closes before anything was sent.
    if (signal.aborted) content.destroy()
    else signal.addEventListener('abort', () => content.destroy())
    // The contract describes the file as text, so the type of the response is a string.
    return content as unknown as never
  }
}

function toBusy(error: unknown): never {
  throw error instanceof NoRoom ? serverBusy() : error
}

/** A line of CSV (RFC 4180). */
function toLine(cells: readonly string[]): string {
  return `${cells.join(',')}\r\n`
}

/**
 * Matches where a spreadsheet may find a formula, which in some languages is also after a semicolon or tab in a text.
 * `toCell` adds an apostrophe there, even before an existing one, so that readers of the file can always remove one.
 */
const FORMULAS = /(^ *|[;\t\r\n][ "]*)(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g

function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  return typeof value === 'object' && 'name' in value ? String(value.name) : JSON.stringify(value)
}

function toCell(value: unknown, isDecimal = false): string {
  const text = textOf(value)
  // A negative number is no formula.
  if (isDecimal || typeof value === 'number') return text
  const harmless = text.replaceAll(FORMULAS, "$1'").replace(/^(?=[\t\r])/, "'")
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless
}
