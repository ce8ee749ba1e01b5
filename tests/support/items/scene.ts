import type { Api } from '../api.ts'

/** Adds items, some with long, right-to-left or wide texts. */
export async function addItems(user: Api): Promise<void> {
  for (let index = 100; index > 0; index -= 1)
    await user.createItem(`Purchase order ${index}`, index % 3 ? `Batch ${index}` : null)
  await user.createItem('حديقة: خطة الأحواض والممرات', 'أسرّة مرتفعة، ثلاثة أمتار لكل منها')
  await user.createItem('🌱🌿🌳 Seeds for the spring', null)
  await user.createItem(
    'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'.repeat(3).slice(0, 200),
  )
  await user.createItem(
    'Garden plan',
    'Raised beds, three metres each, and a gravel path between them that a wheelchair can use.',
  )
  await user.createItem('1,234,567.89', '0001112223334445556667778889990001112223334445556667778889990')
}

/** Adds an item of a list of equal length in each run. */
export function addItemToWeigh(user: Api, index: number): Promise<void> {
  return user.createItem(`Purchase order ${index}`, `Batch ${index} of the spring delivery`)
}
