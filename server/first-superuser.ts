import type { Config } from './config.ts'
import type { Operator } from './domain/operator.ts'

/** Makes the first superuser of an empty database, and tells whoever sits at the terminal what to log in with. */
export async function ensureFirstSuperuser(
  operator: Operator,
  { email, password }: Config['firstSuperuser'],
  say: (line: string) => void,
): Promise<void> {
  const first = await operator.ensureFirstSuperuser(email, password)
  if (!first) return
  say(`The first superuser is ${first.email}`)
  if (first.generatedPassword) say(`Their password is ${first.generatedPassword} (shown only this once)`)
}
