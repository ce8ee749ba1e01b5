import type { Tx } from '../platform/database/store.ts'
import { hashToken } from '../platform/lib/secret-token.ts'
import { deleteRecoveryCode, replaceRecoveryCodes } from './second-factor-queries.ts'
import { randomBase32 } from './totp.ts'

const CODES = 10
/** 80 bits, so that a digest without salt or key protects them. */
const CODE_BYTES = 10

/** Makes new codes for an account, whose old ones end. @returns the codes, of which only digests are stored */
export async function makeRecoveryCodes(tx: Tx, userId: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, () => randomBase32(CODE_BYTES))
  await replaceRecoveryCodes(tx, userId, codes.map(hashToken))
  return codes.map((code) => code.replaceAll(/.{4}(?=.)/g, '$&-'))
}

/** Uses up a code, which was tidied. @returns false if the account does not have it */
export async function useRecoveryCode(tx: Tx, userId: string, code: string): Promise<boolean> {
  return deleteRecoveryCode(tx, userId, hashToken(code))
}
