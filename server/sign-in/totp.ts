import { Secret, TOTP } from 'otpauth'

// Time-based one-time passwords: RFC 6238 with SHA-1, 6 digits and steps of 30 seconds, which all apps support.

const SECRET_BYTES = 20
const DIGITS = 6
const PERIOD_S = 30
/** Clocks differ, so the codes before and after the current one count, too. */
const WINDOW = 1

const totp = (secret: Secret, names: { issuer?: string; label?: string } = {}) =>
  new TOTP({ ...names, secret, algorithm: 'SHA1', digits: DIGITS, period: PERIOD_S })

/** The time step of a code, if the code is right. */
export function stepOf(secret: Buffer, code: string, now: number): number | undefined {
  const app = totp(new Secret({ buffer: new Uint8Array(secret).buffer }))
  const delta = app.validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? undefined : app.counter({ timestamp: now }) + delta
}

/** @returns a new secret, and what an app reads from a QR code */
export function newAppSecret(issuer: string, label: string) {
  const secret = new Secret({ size: SECRET_BYTES })
  return {
    bytes: Buffer.from(secret.bytes),
    shown: { secret: secret.base32, uri: totp(secret, { issuer, label }).toString() },
  }
}

export function randomBase32(bytes: number): string {
  return new Secret({ size: bytes }).base32
}
