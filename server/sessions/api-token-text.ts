import { randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'

/** People and scanners recognize a leaked token by it. */
const PREFIX = 'stw_'
const DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
/** 32 random bytes in base62. */
const RANDOM_LENGTH = 43
/** A CRC-32 in base62. */
const CHECK_LENGTH = 6
const FORM = new RegExp(`^${PREFIX}([${DIGITS}]{${RANDOM_LENGTH}})([${DIGITS}]{${CHECK_LENGTH}})$`)
/** The token of a session has this length, and may begin with the prefix by chance. */
const SESSION_LENGTH = 43

/** A secret of 256 random bits, whose last letters show typing errors. */
export function newApiToken(): string {
  const random = toBase62(BigInt(`0x${randomBytes(32).toString('hex')}`), RANDOM_LENGTH)
  return PREFIX + random + checkOf(random)
}

export function looksLikeApiToken(text: string): boolean {
  return text.startsWith(PREFIX) && text.length !== SESSION_LENGTH
}

export function isApiToken(text: string): boolean {
  const [, random, check] = FORM.exec(text) ?? []
  return random !== undefined && check === checkOf(random)
}

function checkOf(random: string): string {
  return toBase62(BigInt(crc32(random)), CHECK_LENGTH)
}

function toBase62(number: bigint, length: number): string {
  let text = ''
  for (let left = number; text.length < length; left /= 62n) text = DIGITS.charAt(Number(left % 62n)) + text
  return text
}
