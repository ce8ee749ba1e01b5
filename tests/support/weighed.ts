import { Api } from './api.ts'
import { addItemToWeigh } from './items/scene.ts'

export async function fillLists(url: string): Promise<string> {
  const root = await Api.ofSuperuser(url)
  for (let index = 1; index <= 60; index += 1) {
    await addItemToWeigh(root, index)
    await root.createUser({ email: `person${index}@example.com` })
  }
  return root.token
}
