import type { Config } from '../lib/config.ts'
import type { Store } from '../store/store.ts'
import { createAccountChanges } from './account-changes.ts'
import { createAccounts } from './accounts.ts'
import { createAdministration } from './administration.ts'
import { createAudit } from './audit.ts'
import { createGuesses } from './guesses.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createItems } from './items.ts'
import { createLimits } from './limits.ts'
import { createLogIn } from './log-in.ts'
import { createLongReads } from './long-reads.ts'
import { createMailQueue } from './mail-queue.ts'
import { createOperator } from './operator.ts'
import { createPasswordPolicy } from './password-policy.ts'
import { createPasswords, type HashCost } from './passwords.ts'
import { createRecovery } from './recovery.ts'
import { createSessions } from './sessions.ts'

export type Domain = ReturnType<typeof createDomain>

export interface DomainOptions {
  store: Store
  config: Config
  /** Milliseconds since 1970; tests move it. */
  now: () => number
  /** What a password's hash costs; only tests that are about other things make it cheap. */
  hashCost?: HashCost | undefined
}

/** The rules of the product over one store. */
export function createDomain({ store, config, now, hashCost }: DomainOptions) {
  const passwords = createPasswords(hashCost ? { cost: hashCost } : {})
  const policy = createPasswordPolicy(config.passwordPolicy)
  const limits = createLimits({ store, signupsPerHour: config.signupLimitPerHour, now })
  const guesses = createGuesses({ store, now })
  const audit = createAudit({ now })
  const mails = createMailQueue({ limits, now })
  const sessions = createSessions({ store, audit, limits: config.session, now })
  const change = createAccountChanges({ sessions, audit, mails })
  const recovery = createRecovery({ store, passwords, policy, limits, change, audit, mails, now })
  const longReads = createLongReads({ store, now })
  return {
    passwords,
    sessions,
    recovery,
    logIn: createLogIn({ store, passwords, guesses, sessions, audit, now }),
    accounts: createAccounts({ store, passwords, policy, limits, guesses, sessions, change, audit, now }),
    administration: createAdministration({
      store,
      passwords,
      policy,
      sessions,
      change,
      audit,
      mails,
      longReads,
      now,
    }),
    operator: createOperator({ store, passwords, policy, sessions, change, audit, now }),
    items: createItems({ store, sessions, audit, longReads, now }),
    longReads,
    purgeExpired: createHousekeeping({ store, sessions, recovery, longReads, now }),
  }
}
