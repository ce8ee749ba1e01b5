import { type Config, ConfigError } from '../lib/config.ts'
import { DomainError } from '../domain/errors.ts'
import type { Operator } from '../domain/operator.ts'

/**
 * Creates the first superuser of an empty database, and prints its address and generated password.
 * @throws ConfigError for a password that the policy rejects
 */
export async function ensureFirstSuperuser(
  operator: Operator,
  { email, password }: Config['firstSuperuser'],
  say: (line: string) => void,
): Promise<void> {
  const first = await operator.ensureFirstSuperuser(email, password).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.kind !== 'weak-password') throw error
    throw new ConfigError(`Invalid settings:\n  FIRST_SUPERUSER_PASSWORD: ${error.message}`)
  })
  if (!first) return
  say(`The first superuser is ${first.email}`)
  if (first.generatedPassword) say(`Their password is ${first.generatedPassword} (shown only this once)`)
}
