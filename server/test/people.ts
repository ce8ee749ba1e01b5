import { buildTestApp, newPassword, type Person, type RequestOptions, type TestApp, tokenIn } from './build-test-app.ts'

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

/** The whole server with a superuser and two other people. */
export const buildPeopledApp = (...options: Parameters<typeof buildTestApp>) =>
  buildTestAppWith({ root: { is_superuser: true }, ada: {}, eve: {} }, ...options)

/** Resets a password by the link in a mail. All mails that are due are delivered. */
export async function resetByMail(
  { anonymous, deliverMails }: Pick<TestApp, 'anonymous' | 'deliverMails'>,
  email: string,
  more: object = {},
  options?: RequestOptions,
) {
  await anonymous.post(`/password-recovery/${email}`, undefined, options)
  const token = tokenIn((await deliverMails()).find(({ kind }) => kind === 'recovery'))
  return anonymous.post('/reset-password/', { token, new_password: newPassword, ...more }, options)
}
