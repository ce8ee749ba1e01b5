import { Api, type Person } from './api.ts'
import { addItems } from './items/scene.ts'

export type Viewer = 'visitor' | 'newcomer' | 'user' | 'superuser'

/** Creates users and rows, some with long, right-to-left or wide texts. @returns the tokens of the viewers */
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
  await addItems(user)
  return {
    visitor: null,
    newcomer: (await Api.logIn(url, newcomer)).token,
    user: user.token,
    superuser: root.token,
  }
}
