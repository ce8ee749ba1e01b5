import { http, HttpResponse, type HttpHandler } from 'msw'
import type { UserPublic } from '@/client/types.gen'
import { links, type ResourceTag } from '@/lib/resources'
import { rowName } from '@/lib/row-name'
import { message, queryOf, refusal } from './responses'
import type { Files } from './files'
import { csv, findResourceRows, type ResourceRow } from './find-rows'
import { makeRow, sampleOfTable } from './samples'

export type AnyRow = ResourceRow & Record<string, unknown>

type Reply = (request: Request, id: string) => Response | Promise<Response>

export interface Host {
  user: UserPublic | undefined
  files: Files
  hasVersions: boolean
  hasIdempotencyKeys: boolean
  hasSearch: boolean
  isPrivate: boolean
  rowsByIdempotencyKey: Map<string, object>
  rowsOf: (table: string) => AnyRow[]
  editedAt: WeakMap<object, string>
  signedIn: (
    answer: Reply,
  ) => (info: { request: Request; params: Record<string, unknown> }) => Promise<Response> | Response
}

export function resourceHandlers(api: string, name: ResourceTag, backend: Host): HttpHandler[] {
  const url = `${api}/${name}`
  const { searched, filtered, ranges, sorts } = sampleOfTable(name)
  const linking = links.filter(({ from }) => from === name).map(({ field }) => field)
  const asked = { searched, filters: [...filtered, ...linking], ranges, sorts }
  const rowsIn = (tag: string) => backend.rowsOf(tag)
  const rowsOf = () => rowsIn(name)

  function withLinkedNames(row: AnyRow): AnyRow {
    for (const { field, to } of links.filter(({ from }) => from === name)) {
      const linked = visibleRows(backend, rowsIn(to)).find(({ id }) => id === row[field])
      Object.assign(row, { [field.replace(/_id$/, '_name')]: linked ? rowName(linked) : null })
    }
    return row
  }

  /** Applies the `onDelete` rules of all links to a row. @returns the reason if a rule forbids its deletion */
  function unlink({ id }: AnyRow): string | undefined {
    const all = links
      .filter(({ to }) => to === name)
      .map((link) => ({ ...link, rows: rowsIn(link.from).filter((row) => row[link.field] === id) }))
    const refusing = all.find(({ onDelete, rows }) => onDelete === 'refuse' && rows.length > 0)
    if (refusing) return `${refusing.rows.length} ${refusing.from} link to this ${name}`
    for (const { from, field, onDelete, rows } of all)
      for (const row of rows) {
        if (onDelete === 'clear') row[field] = null
        else remove(rowsIn(from), row)
      }
    return undefined
  }

  function removeOne(row: AnyRow | undefined): Response {
    const reason = row && unlink(row)
    return reason === undefined ? remove(rowsOf(), row) : refusal(409, reason)
  }

  const visible = () => visibleRows(backend, rowsOf()).map(withLinkedNames)
  const find = (id: string) => visible().find((row) => row.id === id)
  const findAsked = (filters: Record<string, string>) =>
    backend.hasSearch ? findResourceRows(visible(), filters, asked) : visible()

  async function create(request: Request): Promise<Response> {
    const key = request.headers.get('idempotency-key')
    const earlier = rowsOf().find((row) => key !== null && row === backend.rowsByIdempotencyKey.get(key))
    if (earlier) return answer(backend, earlier)
    const body = backend.files.link((await request.json()) as Partial<AnyRow>)
    const row = makeRow(name, { ...body, ...(backend.user && { owner_id: backend.user.id }) })
    rowsOf().unshift(row)
    if (key !== null && backend.hasIdempotencyKeys) backend.rowsByIdempotencyKey.set(key, row)
    return answer(backend, withLinkedNames(row))
  }

  async function change(request: Request, row: AnyRow | undefined): Promise<Response> {
    const response = await update(backend, row, request, withLinkedNames)
    if (row && response.ok) backend.editedAt.set(row, new Date().toISOString())
    return response
  }

  async function removeMany(request: Request): Promise<Response> {
    const { ids, filter } = (await request.json()) as { ids?: string[]; filter?: Record<string, string> }
    const chosen = filter ? findAsked(filter) : visible().filter(({ id }) => ids?.includes(id))
    const kept = (chosen ?? []).flatMap((row) => {
      const detail = unlink(row)
      if (detail === undefined) remove(rowsOf(), row)
      return detail === undefined ? [] : [{ id: row.id, detail }]
    })
    return HttpResponse.json({ changed: (chosen?.length ?? 0) - kept.length, unchanged: 0, refused: kept })
  }

  return [
    http.get(
      `${url}/`,
      backend.signedIn((request) => {
        const { skip, limit, ...filters } = queryOf(request)
        return page(backend, findAsked(filters), { skip, limit })
      }),
    ),
    http.post(`${url}/`, backend.signedIn(create)),
    http.post(`${url}/bulk`, backend.signedIn(removeMany)),
    http.get(
      `${url}/export`,
      backend.signedIn((request) => file(backend, name, findAsked(queryOf(request)))),
    ),
    http.get(
      `${url}/:id`,
      backend.signedIn((_, id) => answer(backend, find(id))),
    ),
    http.put(
      `${url}/:id`,
      backend.signedIn((request, id) => change(request, find(id))),
    ),
    http.delete(
      `${url}/:id`,
      backend.signedIn((_, id) => removeOne(find(id))),
    ),
  ]
}

export function visibleRows<Row extends ResourceRow>(
  { isPrivate, user }: Pick<Host, 'isPrivate' | 'user'>,
  rows: Row[],
): Row[] {
  return isPrivate && !user?.is_superuser ? rows.filter((row) => row.owner_id === user?.id) : rows
}

/** @param found `undefined` if a parameter is invalid */
export function page(
  host: Pick<Host, 'hasVersions'>,
  found: object[] | undefined,
  filters: { skip?: string | undefined; limit?: string | undefined },
) {
  if (found === undefined) return refusal(422, 'Validation Error')
  const skip = Number(filters.skip ?? 0)
  const data = found.slice(skip, skip + Number(filters.limit)).map((row) => withVersion(host, row))
  return HttpResponse.json({ data, count: found.length })
}

export function file({ hasSearch }: Pick<Host, 'hasSearch'>, name: string, found: object[] | undefined): Response {
  if (!hasSearch || found === undefined) return refusal(hasSearch ? 422 : 404, 'Not Found')
  const headers = {
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': `attachment; filename="${name}-2026-11-21.csv"`,
  }
  return new HttpResponse(csv(found), { headers })
}

export function answer(host: Pick<Host, 'hasVersions'>, row: object | undefined): Response {
  return row ? HttpResponse.json(withVersion(host, row)) : refusal(404, 'Not found')
}

export async function update<Row extends object>(
  host: Pick<Host, 'files' | 'hasVersions'>,
  row: Row | undefined,
  request: Request,
  complete = (changed: Row): Row => changed,
): Promise<Response> {
  const condition = request.headers.get('if-match')
  if (row && host.hasVersions && condition !== null && condition !== `"${versionOf(row)}"`)
    return refusal(412, 'Changed')
  return answer(host, row && complete(Object.assign(row, host.files.link((await request.json()) as object))))
}

export function remove<Row>(rows: Row[], row: Row | undefined): Response {
  const index = row === undefined ? -1 : rows.indexOf(row)
  if (index === -1) return refusal(404, 'Not found')
  rows.splice(index, 1)
  return message('Deleted')
}

export function withVersion<Row extends object>({ hasVersions }: Pick<Host, 'hasVersions'>, row: Row): Row {
  return hasVersions ? { ...row, version: versionOf(row) } : row
}

/** The version contains the row itself, so that tests can decode which state it names. */
export function versionOf(row: object): string {
  return encodeURIComponent(JSON.stringify(row))
}
