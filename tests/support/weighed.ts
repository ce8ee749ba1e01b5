import { Api } from './api.ts'

/** A server's data to weigh pages with: full pages of items and users, the same every time. @returns who looks: a superuser */
export async function fillLists(url: string): Promise<string> {
  const root = await Api.ofSuperuser(url)
  for (let index = 1; index <= 60; index += 1) {
    await root.createItem(`Purchase order ${index}`, `Batch ${index} of the spring delivery`)
    await root.createUser({ email: `person${index}@example.com` })
  }
  return root.token
}
