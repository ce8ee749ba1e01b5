import { queryOptions } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import { client } from '@/client/client.gen'
import { hintedStaleTime } from './live/stale-time'
import { type PagedTag, type ResourceTag, resources as listed, type Tag } from '@/lib/resources'

export type { Tag } from '@/lib/resources'

interface Asked {
  query: { q?: string; owner_id?: string; limit: number }
}

interface Rows {
  data: { id: string }[]
  count: number
}

type Read<Given, Answer> = (given: Given & { signal: AbortSignal }) => Promise<{ data: Answer }>

export interface ListedResource {
  tag: ResourceTag
  noun: string
  title: string
  to: NonNullable<LinkProps['to']>
  read: Read<Asked, Rows>
  readOne: Read<{ path: { id: string } }, { id: string }>
}

export const resources: readonly ListedResource[] = listed.map(({ tag, noun, title }) => ({
  tag,
  noun,
  title,
  to: `/${tag}` as ListedResource['to'],
  read: ({ query, signal }) =>
    client.get<{ 200: Rows }, unknown, true>({ security, url: `/api/v1/${tag}/`, query, signal }),
  readOne: ({ path, signal }) =>
    client.get<{ 200: { id: string } }, unknown, true>({ security, url: `/api/v1/${tag}/{id}`, path, signal }),
}))

const security = [{ scheme: 'bearer', type: 'http' } as const]

export const countRows = ({ tag, read }: ListedResource, owner_id?: string) =>
  queryOptions({
    queryKey: [{ tags: [tag], owner_id, limit: 1 }] as readonly unknown[],
    queryFn: async ({ signal }) =>
      (await read({ query: { ...(owner_id !== undefined && { owner_id }), limit: 1 }, signal })).data.count,
    staleTime: hintedStaleTime(),
  })

const paged = new Set<Tag>(listed.filter(({ hasPages }) => hasPages).map(({ tag }) => tag))

export const hasPages = (tag: Tag): tag is PagedTag => paged.has(tag)

export const linkToRow = (tag: ResourceTag, id: string): Pick<LinkProps, 'to' | 'params' | 'search'> =>
  (hasPages(tag) ? { to: `/${tag}/$id`, params: { id } } : { to: `/${tag}`, search: { edit: id } }) as LinkProps
