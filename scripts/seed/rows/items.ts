import { beginRow, english } from '../demo-data.ts'
import type { Item } from '../../../server/items/queries.ts'

export function demoRow(index: number, owners: number, now: number): Item {
  const row = beginRow('item', index, owners, now)
  const { commerce, company, helpers, location, number } = english
  const title =
    number.float() < 0.6
      ? `${helpers.arrayElement(['Order', 'Repair', 'Return', 'Replace', 'Count'])} ${commerce.productName().toLowerCase()}`
      : `${commerce.productName()} – ${location.city()}, shelf ${number.int({ min: 1, max: 12 })}`
  const isDescribed = number.float() >= 0.3
  const description = number.float() < 0.5 ? commerce.productDescription() : company.catchPhrase()
  return { ...row, title, description: isDescribed ? description : null }
}
