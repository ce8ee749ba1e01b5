import { type Config, ConfigError } from '../lib/config.ts'
import { DomainError } from '../domain/errors.ts'
import type { Operator } from '../domain/operator.ts'

/**
 * Makes the first superuser of an empty database, and tells whoever sits at the terminal what to log in with.
 * @throws ConfigError for a password that the policy refuses
 */
export async function ensureFirstSuperuser(
  operator: Operator,
  { email, password }: Config['firstSuperuser'],
  say: (line: string) => void,
): Promise<void> {
  const first = await operator.ensureFirstSuperuser(email, password).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.kind !== 'weak-password') throw error
    throw new ConfigError(`These settings are not right:\n  FIRST_SUPERUSER_PASSWORD: ${error.message}`)
  })
  if (!first) return
  say(`The first superuser is ${first.email}`)
  if (first.generatedPassword) say(`Their password is ${first.generatedPassword} (shown only this once)`)
}
