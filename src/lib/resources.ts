import { itemsReadItems } from '@/client/sdk.gen'

/** What belongs to accounts: one line for each resource. */
export const resources = [{ tag: 'items', title: 'Items', noun: 'item', to: '/items', read: itemsReadItems }] as const

/** A tag of the contract. Queries are marked with it. */
export type Tag = 'users' | 'audit' | (typeof resources)[number]['tag']
