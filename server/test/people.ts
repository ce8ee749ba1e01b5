import { buildTestApp, type Person, type TestApp } from './build-test-app.ts'

type Wanted = Parameters<TestApp['newUser']>[0]

/** The whole server with accounts, which are created one after the other, each with a session. */
export async function buildTestAppWith<Name extends string>(
  people: Record<Name, Wanted>,
  ...options: Parameters<typeof buildTestApp>
): Promise<Omit<TestApp, 'app'> & { app: TestApp } & Record<Name, Person>> {
  const app = await buildTestApp(...options)
  const made = {} as Record<Name, Person>
  for (const [name, wanted] of Object.entries<Wanted>(people)) made[name as Name] = await app.newUser(wanted)
  return { ...app, app, ...made }
}
