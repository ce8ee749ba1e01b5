import type { Sample } from '../test/sample.ts'

export const itemSample: Sample = {
  table: 'items',
  noun: 'item',
  schema: 'ItemPublic',
  least: { title: 'An item' },
  leastStored: { title: 'An item', description: null },
  full: { title: '  Quick  ', description: 'Brown fox' },
  fullStored: { title: 'Quick', description: 'Brown fox' },
  changes: [{ title: 'Lazy' }, { description: 'Dog' }, { description: '' }, { description: null }],
  rejected: [
    ['title', '   '],
    ['description', 12345],
  ],
  filtered: [],
  ranges: [],
  files: [],
  searched: ['title', 'description'],
}
