import type { Db, Tx } from '../platform/database/store.ts'
import type { ChallengePurpose, Tables } from '../tables.ts'

export type ChallengeRow = Tables['challenges']

export async function insertChallenge(db: Db, challenge: ChallengeRow): Promise<void> {
  await db.insertInto('challenges').values(challenge).execute()
}

/** @param keep how many of the newest stay */
export async function deleteOldestChallenges(db: Db, purpose: ChallengePurpose, userId: string, keep: number) {
  const surplus = db
    .selectFrom('challenges')
    .select('digest')
    .where('user_id', '=', userId)
    .where('purpose', '=', purpose)
    .orderBy('expires_at', 'desc')
    .orderBy('digest')
    .limit(100)
    .offset(keep)
  await db.deleteFrom('challenges').where('digest', 'in', surplus).execute()
}

export async function setPayload(tx: Tx, digest: string, payload: string): Promise<void> {
  await tx.updateTable('challenges').set({ payload }).where('digest', '=', digest).execute()
}

export function findChallenge(db: Db, purposes: readonly ChallengePurpose[], digest: string) {
  const query = db.selectFrom('challenges').selectAll().where('digest', '=', digest)
  return query.where('purpose', 'in', purposes).executeTakeFirst()
}

/** Deletes and returns a challenge, which may have expired. Of concurrent attempts, only one gets it. */
export function takeChallenge(db: Db, purposes: readonly ChallengePurpose[], digest: string) {
  const query = db.deleteFrom('challenges').where('digest', '=', digest).where('purpose', 'in', purposes)
  return query.returningAll().executeTakeFirst()
}

export async function deleteChallenges(tx: Tx, userIds: readonly string[], purposes?: readonly ChallengePurpose[]) {
  const challenges = tx.deleteFrom('challenges').where('user_id', 'in', userIds)
  await (purposes ? challenges.where('purpose', 'in', purposes) : challenges).execute()
}

/** Counts the active accounts whose challenge expires in this time. */
export async function countExpiring(db: Db, purposes: readonly ChallengePurpose[], from: number, to: number) {
  const { count } = await db
    .selectFrom('challenges')
    .innerJoin('users', 'users.id', 'challenges.user_id')
    .select((e) => e.fn.count<number>('user_id').distinct().as('count'))
    .where('purpose', 'in', purposes)
    .where('expires_at', '>', from)
    .where('expires_at', '<=', to)
    .where('users.is_active', '=', 1)
    .executeTakeFirstOrThrow()
  return count
}
