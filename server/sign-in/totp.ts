import { createHmac, timingSafeEqual } from 'node:crypto'

// Time-based one-time passwords: RFC 6238 with SHA-1, 6 digits and steps of 30 seconds, which all apps know.

export const SECRET_BYTES = 20

const STEP_MS = 30_000
const DIGITS = 6
const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'
const BITS = 5

/** The steps whose code this is, of the current one and its neighbours, as clocks differ. */
export function matchingSteps(secret: Buffer, code: string, now: number): number[] {
  const current = Math.floor(now / STEP_MS)
  return [current - 1, current, current + 1].filter((step) => isEqual(codeOf(secret, step), code))
}

function codeOf(secret: Buffer, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const mac = createHmac('sha1', secret).update(counter).digest()
  const offset = mac.readUInt8(mac.length - 1) & 0xf
  const number = mac.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** DIGITS).padStart(DIGITS, '0')
}

function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

/** What an app reads from a QR code. */
export function appUri(secret: Buffer, issuer: string, account: string): string {
  const [name, label] = [issuer, account].map((text) => encodeURIComponent(text))
  return `otpauth://totp/${name}:${label}?secret=${base32(secret)}&issuer=${name}&algorithm=SHA1&digits=${DIGITS}&period=${STEP_MS / 1000}`
}

export function base32(bytes: Buffer): string {
  let text = ''
  let bits = 0
  let value = 0
  for (const byte of bytes) {
    value = (value << 8) | byte
    bits += 8
    while (bits >= BITS) {
      bits -= BITS
      text += ALPHABET[(value >>> bits) & 31]
    }
    value &= (1 << bits) - 1
  }
  return text
}
