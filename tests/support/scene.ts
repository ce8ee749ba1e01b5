import { Api, type Person } from './api.ts'

export type Viewer = 'visitor' | 'newcomer' | 'user' | 'superuser'

/** Creates users and items, some with long, right-to-left or wide texts. @returns the tokens of the viewers */
export async function makeScene(url: string): Promise<Record<Viewer, string | null>> {
  const root = await Api.ofSuperuser(url)
  const people: Partial<Person & { isSuperuser: boolean; isActive: boolean }>[] = [
    { fullName: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(6).slice(0, 200) },
    { fullName: 'ليلى الحسيني', isActive: false },
    { fullName: '山田 花子' },
    { fullName: null, isActive: false },
    { fullName: 'Grace Hopper', isSuperuser: true },
    { fullName: 'Alan Turing' },
    { fullName: '👩🏽‍🚀 Mae Jemison' },
  ]
  for (const [index, person] of people.entries())
    await root.createUser({ email: `person${index}@example.com`, ...person })
  const newcomer = await root.createUser({ fullName: 'Niklaus Wirth', email: 'niklaus@example.com' })
  const ada = await root.createUser({ fullName: 'Ada Lovelace', email: 'ada@example.com' })
  const user = await Api.logIn(url, ada)
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
  return {
    visitor: null,
    newcomer: (await Api.logIn(url, newcomer)).token,
    user: user.token,
    superuser: root.token,
  }
}
