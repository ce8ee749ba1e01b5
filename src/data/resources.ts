import { itemsReadItems } from '@/client/sdk.gen'

/** All resources that belong to accounts, one line for each. */
export const resources = [{ tag: 'items', title: 'Items', noun: 'item', to: '/items', read: itemsReadItems }] as const

/** A tag of the contract, which is part of each query key. */
export type Tag = 'users' | 'audit' | (typeof resources)[number]['tag']
