import { createPublicKey, type webcrypto } from 'node:crypto'
import { decodeCredentialPublicKey } from '@simplewebauthn/server/helpers'

/** EdDSA, ES256 and RS256. */
export const ALGORITHMS = [-8, -7, -257]

/** Authenticators use these sizes, and OpenSSL checks their signatures quickly. OpenSSL refuses larger exponents. */
const RSA_BITS = { min: 2048, max: 8192 }
const MAX_EXPONENT = 2n ** 64n - 1n

/** Labels of a COSE key (RFC 9052, 7). The meaning of negative labels depends on the kind of the key. */
const KIND = 1
const ALGORITHM = 3

/**
 * Checks a public key at registration, because the library would import the key only to verify the first signature.
 * @throws Error for a key that no signature can match, or that does not belong to its algorithm
 */
export function requireUsableKey(publicKey: Uint8Array<ArrayBuffer>): void {
  const fields = decodeCredentialPublicKey(publicKey) as unknown as Map<number, unknown>
  const bytes = (label: number): Buffer => {
    const value = fields.get(label)
    if (!(value instanceof Uint8Array) || value.length === 0) throw new Error('A part of the key is missing')
    return Buffer.from(value)
  }
  const text = (label: number): string => bytes(label).toString('base64url')
  const parts = [KIND, ALGORITHM, -1].map((label) => fields.get(label))

  if (isEqual(parts, [2, -7, 1])) {
    importKey({ kty: 'EC', crv: 'P-256', x: text(-2), y: text(-3) })
  } else if (isEqual(parts, [1, -8, 6])) {
    importKey({ kty: 'OKP', crv: 'Ed25519', x: text(-2) })
    if (!isOnEd25519(bytes(-2))) throw new Error('Not a point of the curve')
  } else if (isEqual(parts.slice(0, 2), [3, -257])) {
    const { modulusLength = 0 } = importKey({ kty: 'RSA', n: text(-1), e: text(-2) })
    const [n, e] = [toNumber(bytes(-1)), toNumber(bytes(-2))]
    if (modulusLength < RSA_BITS.min || modulusLength > RSA_BITS.max || n % 2n === 0n) throw new Error('Not a modulus')
    if (e % 2n === 0n || e === 1n || e > MAX_EXPONENT) throw new Error('Not an exponent')
  } else {
    throw new Error('A key of another kind')
  }
}

const isEqual = (parts: unknown[], expected: number[]) => expected.every((value, index) => parts[index] === value)

function importKey(key: webcrypto.JsonWebKey) {
  return createPublicKey({ key, format: 'jwk' }).asymmetricKeyDetails ?? {}
}

const toNumber = (bytes: Buffer): bigint => BigInt(`0x${bytes.toString('hex')}`)

const PRIME = 2n ** 255n - 19n
const D = 37095705934669439343138083508754565189542113879843219016388785533085940283555n

/** OpenSSL imports any 32 bytes, but half of all values are no point of the curve: RFC 8032, 5.1.3. */
function isOnEd25519(x: Buffer): boolean {
  const y = toNumber(Buffer.from(x.toReversed())) & (2n ** 255n - 1n)
  const square = y * y
  // The quotient of these two factors is x². It is a square if the product of the factors is a square.
  const product = ((square - 1n) * (D * square + 1n)) % PRIME
  return y < PRIME && power((product + PRIME) % PRIME, (PRIME - 1n) / 2n) <= 1n
}

function power(base: bigint, exponent: bigint): bigint {
  let [result, factor] = [1n, base]
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * factor) % PRIME
    factor = (factor * factor) % PRIME
  }
  return result
}
