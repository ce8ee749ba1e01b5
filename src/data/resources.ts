import { queryOptions } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { client } from '@/client/client.gen'
import { hintedStaleTime } from './live/stale-time'
import { type PagedTag, type ResourceTag, resources as listed, type Tag } from '@/lib/resources'

export type { Tag } from '@/lib/resources'

interface Rows {
  data: { id: string }[]
  count: number
}

interface Asked {
  query: { q?: string; owner_id?: string; limit: number }
  signal: AbortSignal
}

export type ListedResource = (typeof resources)[number]

export const resources = listed.map(({ tag, noun, title }) => ({
  tag,
  noun,
  title,
  to: `/${tag}` as NonNullable<LinkProps['to']>,
  read: ({ query, signal }: Asked) =>
    client.get<{ 200: Rows }, unknown, true>({ security, url: `/api/v1/${tag}/`, query, signal }),
  readOne: ({ path, signal }: { path: { id: string }; signal: AbortSignal }) =>
    client.get<{ 200: { id: string } }, unknown, true>({ security, url: `/api/v1/${tag}/{id}`, path, signal }),
}))

export function resourceOf(tag: Tag): ListedResource {
  const resource = resources.find((one) => one.tag === tag)
  if (!resource) throw new Error(`${tag} is no resource`)
  return resource
}

const security = [{ scheme: 'bearer', type: 'http' } as const]

export const countRows = ({ tag, read }: ListedResource, owner_id?: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], owner_id, limit: 1 }] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await read({ query: { ...(owner_id !== undefined && { owner_id }), limit: 1 }, signal })).data.count,
    staleTime: hintedStaleTime(),
  })

export const hasPages = (tag: Tag): tag is PagedTag => listed.some((one) => one.tag === tag && one.hasPages)

export const linkToRow = (tag: ResourceTag, id: string): Pick<LinkProps, 'to' | 'params' | 'search'> =>
  (hasPages(tag) ? { to: `/${tag}/$id`, params: { id } } : { to: `/${tag}`, search: { edit: id } }) as LinkProps
