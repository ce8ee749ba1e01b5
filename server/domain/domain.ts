import type { Config } from '../lib/config.ts'
import { sqliteFile } from '../store/open.ts'
import type { Store } from '../store/store.ts'
import { createAccountChanges } from './account-changes.ts'
import { createAccounts } from './accounts.ts'
import { createAdministration } from './administration.ts'
import { createAuditLog } from './audit-log.ts'
import { createAudit } from './audit.ts'
import { createBackups } from './backups.ts'
import { createExports } from './exports.ts'
import { createGuesses } from './guesses.ts'
import { createHousekeeping } from './housekeeping.ts'
import { createInvitations } from './invitations.ts'
import { createItems } from './items.ts'
import { createLimits } from './limits.ts'
import { createLogIn } from './log-in.ts'
import { createMailQueue } from './mail-queue.ts'
import { createMailedTokens } from './mailed-tokens.ts'
import { createOperator } from './operator.ts'
import { createOverview } from './overview.ts'
import { createPasswordPolicy } from './password-policy.ts'
import { createPasswords, type HashCost } from './passwords.ts'
import { createReads } from './reads.ts'
import { createRecovery } from './recovery.ts'
import { createSessions } from './sessions.ts'

export type Domain = ReturnType<typeof createDomain>

export interface DomainOptions {
  store: Store
  config: Config
  /** The clock, in milliseconds since 1970. Tests replace it. */
  now: () => number
  /** Reduced in tests that are not about hashing. */
  hashCost?: HashCost | undefined
}

export function createDomain({ store, config, now, hashCost }: DomainOptions) {
  const passwords = createPasswords(hashCost ? { cost: hashCost } : {})
  const policy = createPasswordPolicy(config.passwordPolicy)
  const limits = createLimits({ store, signupsPerHour: config.signupLimitPerHour, now })
  const guesses = createGuesses({ store, now })
  const audit = createAudit({ now })
  const mails = createMailQueue({ limits, now })
  const sessions = createSessions({ store, audit, limits: config.session, now })
  const change = createAccountChanges({ sessions, audit, mails })
  const mailedTokens = createMailedTokens({ store, passwords, policy, limits, change, audit, now })
  const recovery = createRecovery({ store, mailedTokens, limits, audit, mails, now })
  const hasMailServer = config.mail.smtpUrl !== undefined
  const invitations = createInvitations({ mailedTokens, limits, audit, mails, hasMailServer, now })
  const reads = createReads({ store, now })
  const exports = createExports({ store, sessions, audit, limits, reads })
  const administration = createAdministration({
    store,
    passwords,
    policy,
    sessions,
    invitations,
    change,
    audit,
    mails,
    reads,
    exports,
    now,
  })
  const resources = {
    items: createItems({ store, sessions, reads, exports, now }),
  }
  return {
    passwords,
    sessions,
    audit,
    recovery,
    invitations,
    logIn: createLogIn({ store, passwords, guesses, sessions, audit, now }),
    accounts: createAccounts({
      store,
      passwords,
      policy,
      limits,
      guesses,
      sessions,
      change,
      audit,
      signUp: config.signUp,
      now,
    }),
    administration,
    operator: createOperator({ store, passwords, policy, sessions, invitations, change, audit, now }),
    ...resources,
    overview: createOverview({ ...resources, administration }),
    auditLog: createAuditLog({ store, reads, exports }),
    reads,
    backups: config.backups && createBackups({ database: sqliteFile(config), plan: config.backups, now }),
    housekeeping: createHousekeeping({
      store,
      auditDays: config.auditDays,
      sessions,
      recovery,
      invitations,
      reads,
      now,
    }),
  }
}
