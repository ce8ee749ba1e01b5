import type { LinkProps } from '@tanstack/react-router'
import { itemsReadItem, itemsReadItems } from '@/client/sdk.gen'

interface Resource {
  tag: string
  title: string
  noun: string
  to: NonNullable<LinkProps['to']>
  read: (options: {
    query: { q?: string; owner_id?: string; limit: number }
    signal: AbortSignal
  }) => Promise<{ data: { data: { id: string }[]; count: number } }>
  readOne: (options: { path: { id: string }; signal: AbortSignal }) => Promise<{ data: { id: string } }>
}

/** All resources that belong to accounts, one line for each. */
const listed = [
  { tag: 'items', title: 'Items', noun: 'item', to: '/items', read: itemsReadItems, readOne: itemsReadItem },
] as const satisfies readonly Resource[]

/** A tag of the contract, which is part of each query key. */
export type Tag = 'users' | 'audit' | (typeof listed)[number]['tag']

export type ListedResource = Resource & { tag: Tag }

export const resources: readonly ListedResource[] = listed

/** Removed resources, whose entries the audit log still shows. */
export const formerResources: readonly Pick<Resource, 'tag' | 'title' | 'noun'>[] = []
