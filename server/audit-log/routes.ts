import type { AuditQuery, ShownEntry } from '../audit/queries.ts'
import type { Place } from '../platform/database/lists.ts'
import type { RouteHandlers } from '../contract/fastify.gen.ts'
import type { SendCsv } from '../lists/csv.ts'
import type { Context } from '../platform/context.ts'
import { HttpError } from '../platform/http/http-error.ts'
import { toSearchWords } from '../platform/lib/normalized-text.ts'
import { readDateOrTime } from '../platform/lib/date-or-time.ts'
import { callerOf } from '../sessions/request.ts'
import { exportAuditLog, readAuditLog } from './rules.ts'

const fields = [
  'id',
  'at',
  'action',
  'result',
  'actor_id',
  'actor_email',
  'subject_id',
  'subject_email',
  'address',
  'details',
] as const

const exported = fields.map((name) => ({ name }))

export function auditLogRoutes(context: Context, sendCsv: SendCsv) {
  return {
    async auditReadAudit(request, reply) {
      const { limit = 50, before, ...given } = request.query ?? {}
      const page = { limit, before: before === undefined ? undefined : placeOf(before) }
      const { data, next } = await readAuditLog(context, callerOf(request), queryOf(given), page, request.signal)
      return reply.code(200).send({ data: data.map(toPublicEntry), next: next === undefined ? null : cursorOf(next) })
    },

    async auditExportAudit(request, reply) {
      return sendCsv(request, reply, { name: 'audit', fields: exported, toRow }, (target) =>
        exportAuditLog(context, callerOf(request), queryOf(request.query ?? {}), target),
      )
    },
  } satisfies Partial<RouteHandlers>
}

interface Given extends Omit<AuditQuery, 'from' | 'to' | 'words' | 'row_id'> {
  q?: string
  from?: string
  to?: string
}

const ID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

/** If `q` is an id, it finds the entries about the row with that id. */
function queryOf({ q, from, to, ...given }: Given): AuditQuery {
  return {
    ...given,
    ...(q !== undefined && (ID.test(q.trim()) ? { row_id: q.trim().toLowerCase() } : { words: toSearchWords(q) })),
    ...(from !== undefined && { from: readDateOrTime(from)?.first }),
    ...(to !== undefined && { to: readDateOrTime(to)?.last }),
  }
}

function toPublicEntry(entry: ShownEntry) {
  const { id, at, action, result, origin, details } = entry
  return {
    id,
    at: new Date(at).toISOString(),
    action,
    result,
    actor: entry.actor_id === null ? null : { id: entry.actor_id, email: entry.actor_email },
    subject: entry.subject_id === null ? null : { id: entry.subject_id, email: entry.subject_email },
    address: origin,
    details: details === null ? null : (JSON.parse(details) as Record<string, unknown>),
  }
}

function toRow({ origin, at, ...entry }: ShownEntry): Record<(typeof fields)[number], unknown> {
  return { ...entry, at: new Date(at).toISOString(), address: origin }
}

function cursorOf({ at, id }: Place): string {
  return Buffer.from(`${at} ${id}`).toString('base64url')
}

const CURSOR = /^(\d{1,15}) ([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12})$/

/** @throws HttpError 422 for an invalid cursor */
function placeOf(cursor: string): Place {
  const [, at, id] = CURSOR.exec(Buffer.from(cursor, 'base64url').toString()) ?? []
  if (at === undefined || id === undefined || cursorOf({ at: Number(at), id }) !== cursor) {
    throw new HttpError(422, [{ loc: ['query', 'before'], msg: 'Input should be a valid cursor', type: 'cursor' }])
  }
  return { at: Number(at), id }
}
