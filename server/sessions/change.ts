import { type AuditEvent, type AuditFacts, countAudit, recordAudit } from '../audit/record.ts'
import { type NoticeKind, notify } from '../notices/mails.ts'
import type { Context, TxContext } from '../platform/context.ts'
import { takeAccountsLock } from '../platform/database/store.ts'
import { DomainError, sessionEnded } from '../platform/errors.ts'
import { type AnyActor, requireAccess } from '../users/access.ts'
import { lockUser } from '../users/queries.ts'
import { lockLiveSession } from './checks.ts'

export interface Act<By extends AnyActor = AnyActor> extends TxContext {
  /** With `lock: 'own-account'`, `user` is the account after it was locked. */
  actor: By
  /** Adds an entry to the audit log, at the end of the transaction. */
  audit: (action: AuditEvent['action'], facts?: AuditFacts) => void
  /** Tells the owner of an account by mail, once in 5 minutes for each kind. */
  notify: (kind: NoticeKind, address: string) => Promise<void>
  /** Runs something at the end of the transaction, for locks that come last (docs/decisions/0010-rows-as-locks.md). */
  atEnd: (call: () => Promise<void>) => void
  afterCommit: (call: () => void) => void
}

interface Options {
  /** `own-account` keeps two sessions of an account from ending each other. `accounts` is for administration. */
  lock?: 'own-account' | 'accounts'
  /** The hash of the password that the person just entered. */
  passwordHash?: string
}

/**
 * The only way to change data. Checks the session or API token again, because it may have ended while the body arrived.
 * `work` may run again, so it must have no effects except on its transaction.
 * @throws DomainError `unauthenticated`, `not-fresh`; `forbidden`; `invalid` if the password was changed
 */
export async function change<By extends AnyActor, T>(
  context: Context,
  actor: By,
  options: Options,
  work: (act: Act<By>) => Promise<T>,
): Promise<T> {
  if (options.lock === 'accounts') requireAccess(actor, 'superuser')
  const { store, ...services } = context
  let events: AuditEvent[] = []
  let afterCommit: (() => void)[] = []
  const result = await store.transaction(async (tx) => {
    events = []
    afterCommit = []
    const atEnd: (() => Promise<void>)[] = []
    const act: Act<By> = {
      ...services,
      tx,
      actor: await lockActor({ ...services, tx }, actor, options),
      audit: (action, facts) => void events.push({ action, ...facts }),
      notify: (kind, address) => notify(act, kind, address, actor.ip),
      atEnd: (call) => void atEnd.push(call),
      afterCommit: (call) => void afterCommit.push(call),
    }
    const done = await work(act)
    // Functions of `atEnd` lock rows that every transaction locks after those of the audit log.
    await recordAudit(act, actor, events)
    for (const call of atEnd) await call()
    return done
  })
  countAudit(context, events)
  for (const call of afterCommit) call()
  return result
}

/** Takes the locks of a change in their order, and reads the actor again. */
async function lockActor<By extends AnyActor>(context: TxContext, actor: By, options: Options): Promise<By> {
  const { tx } = context
  if (options.lock === 'accounts') await takeAccountsLock(tx)
  const own = options.lock === 'own-account' ? actor.user : undefined
  const user = own && (await lockUser(tx, own.id, options))
  if (own && !user && options.passwordHash !== undefined) throw new DomainError('invalid', 'Incorrect password')
  await lockLiveSession(context, actor)
  if (!own) return actor
  if (!user) throw sessionEnded()
  return { ...actor, user }
}
