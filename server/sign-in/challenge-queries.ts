import type { Db, Tx } from '../platform/database/store.ts'
import type { ChallengePurpose, Tables } from '../tables.ts'

export type ChallengeRow = Tables['challenges']

export async function insertChallenge(db: Db, challenge: ChallengeRow): Promise<void> {
  await db.insertInto('challenges').values(challenge).execute()
}

/** Deletes the oldest challenges of an account. @param keep how many stay */
export async function deleteOldestChallenges(
  db: Db,
  purpose: ChallengePurpose,
  userId: string,
  keep: number,
): Promise<void> {
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

/** The challenge may have expired. */
export function findChallenge(
  db: Db,
  purposes: readonly ChallengePurpose[],
  digest: string,
): Promise<ChallengeRow | undefined> {
  return db
    .selectFrom('challenges')
    .selectAll()
    .where('digest', '=', digest)
    .where('purpose', 'in', purposes)
    .executeTakeFirst()
}

/** Deletes a challenge, which may have expired, so that only one attempt gets it. */
export function takeChallenge(
  db: Db,
  purposes: readonly ChallengePurpose[],
  digest: string,
): Promise<ChallengeRow | undefined> {
  const query = db.deleteFrom('challenges').where('digest', '=', digest).where('purpose', 'in', purposes)
  return query.returningAll().executeTakeFirst()
}

/** @param purposes of the challenges to delete; all by default */
export async function deleteChallenges(
  tx: Tx,
  userIds: readonly string[],
  purposes?: readonly ChallengePurpose[],
): Promise<void> {
  const challenges = tx.deleteFrom('challenges').where('user_id', 'in', userIds)
  await (purposes ? challenges.where('purpose', 'in', purposes) : challenges).execute()
}

/** The number of active accounts that have a challenge of these purposes which expires in this time. */
export async function countExpiring(
  db: Db,
  purposes: readonly ChallengePurpose[],
  from: number,
  to: number,
): Promise<number> {
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
