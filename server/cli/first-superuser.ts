import { ensureFirstSuperuser } from '../operator/rules.ts'
import { ConfigError } from '../platform/config.ts'
import type { Context } from '../platform/context.ts'
import { DomainError } from '../platform/errors.ts'

/** @throws ConfigError for a password that the policy rejects */
export async function addFirstSuperuser(context: Context, say: (line: string) => void): Promise<void> {
  const { email, password } = context.config.firstSuperuser
  const first = await ensureFirstSuperuser(context, email, password).catch((error: unknown) => {
    if (!(error instanceof DomainError) || error.kind !== 'weak-password') throw error
    throw new ConfigError(`Invalid settings:\n  FIRST_SUPERUSER_PASSWORD: ${error.message}`)
  })
  if (!first) return
  say(`The first superuser is ${first.email}`)
  if (!context.config.passwordLogIn) say(`A link for their log-in: npm run admin -- log-in-link ${first.email}`)
  else if (first.generatedPassword) say(`Their password is ${first.generatedPassword} (shown only this once)`)
}
