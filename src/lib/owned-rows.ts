import { resources } from './resources'

const list = new Intl.ListFormat('en-GB')
const tags = resources.map(({ tag }) => tag)

/** All that belongs to accounts: `items`, or `items and orders`. */
export const ownedRows = list.format(tags) || 'data'

export const peopleAndRows = list.format(['People', ...tags])
