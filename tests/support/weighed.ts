import { Api } from './api.ts'

export async function fillLists(url: string): Promise<string> {
  const root = await Api.ofSuperuser(url)
  for (let index = 1; index <= 60; index += 1) {
    await root.createItem(`Purchase order ${index}`, `Batch ${index} of the spring delivery`)
    await root.createUser({ email: `person${index}@example.com` })
  }
  return root.token
}
