import { queryOptions } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { client } from '@/client/client.gen'
import type { PageOf } from './api/list'
import { hintedStaleTime } from './live/stale-time'
import { type PagedTag, type ResourceTag, resources as listed, type Tag } from '@/lib/resources'

export type ListedResource = (typeof resources)[number]

export const resources = listed.map(({ tag, noun, title }) => ({
  tag,
  noun,
  title,
  to: `/${tag}` as NonNullable<LinkProps['to']>,
}))

export function resourceOf(tag: Tag): ListedResource {
  const resource = resources.find((one) => one.tag === tag)
  if (!resource) throw new Error(`${tag} is no resource`)
  return resource
}

interface Row {
  id: string
}

const security = [{ scheme: 'bearer', type: 'http' } as const]

export async function readRows(tag: Tag, query: Record<string, unknown>, signal: AbortSignal): Promise<PageOf<Row>> {
  const url = `/api/v1/${tag}/`
  return (await client.get<{ 200: PageOf<Row> }, unknown, true>({ security, url, query, signal })).data
}

export async function readRow(tag: Tag, id: string, signal: AbortSignal): Promise<Row> {
  const request = { security, url: `/api/v1/${tag}/{id}`, path: { id }, signal }
  return (await client.get<{ 200: Row }, unknown, true>(request)).data
}

export const countRows = ({ tag }: ListedResource, owner_id?: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], owner_id, limit: 1 }] as readonly unknown[],
    queryFn: async ({ signal }) => (await readRows(tag, { owner_id, limit: 1 }, signal)).count,
    staleTime: hintedStaleTime(),
  })

export const hasPages = (tag: Tag): tag is PagedTag => listed.some((one) => one.tag === tag && one.hasPages)

export const linkToRow = (tag: ResourceTag, id: string): Pick<LinkProps, 'to' | 'params' | 'search'> =>
  (hasPages(tag) ? { to: `/${tag}/$id`, params: { id } } : { to: `/${tag}`, search: { edit: id } }) as LinkProps
