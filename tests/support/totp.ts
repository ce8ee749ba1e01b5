import { createHmac } from 'node:crypto'

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

export const STEP_MS = 30_000

/** The code that an authenticator app shows. @param secret in base32 @param at in milliseconds since 1970 */
export function totpCode(secret: string, at: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(Math.floor(at / STEP_MS)))
  const mac = createHmac('sha1', decodeBase32(secret)).update(counter).digest()
  const start = (mac.at(-1) ?? 0) % 16
  return String((mac.readUInt32BE(start) % 2 ** 31) % 1_000_000).padStart(6, '0')
}

/** A six-digit code that is wrong for the current time step, the one before and the one after. */
export function wrongTotpCode(secret: string, at: number): string {
  const shown = new Set([-STEP_MS, 0, STEP_MS].map((offset) => totpCode(secret, at + offset)))
  return ['000000', '111111', '222222', '333333'].find((code) => !shown.has(code)) ?? ''
}

function decodeBase32(text: string): Buffer {
  const bits = Array.from(text, (letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)))
}
