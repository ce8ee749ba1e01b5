import { isWithin } from '../platform/database/dialect.ts'
import type { Db, Tx } from '../platform/database/store.ts'
import type { Period } from '../platform/lib/clock.ts'

/** Whether the account of an email address used a network. @param block a digest */
export async function isKnownBlock(db: Db, emailKey: string, block: string, ends: Period): Promise<boolean> {
  const found = await db
    .selectFrom('familiar_blocks')
    .innerJoin('users', 'users.id', 'familiar_blocks.user_id')
    .select('familiar_blocks.block')
    .where('users.email_key', '=', emailKey)
    .where('familiar_blocks.block', '=', block)
    .where(isWithin('familiar_blocks.ends_at', ends))
    .executeTakeFirst()
  return found !== undefined
}

export async function addKnownBlock(tx: Tx, userId: string, block: string, endsAt: number): Promise<void> {
  await tx
    .insertInto('familiar_blocks')
    .values({ user_id: userId, block, ends_at: endsAt })
    .onConflict((conflict) => conflict.columns(['user_id', 'block']).doUpdateSet({ ends_at: endsAt }))
    .execute()
}
