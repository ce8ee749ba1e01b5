import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

export type Cbor = number | string | Buffer | Map<number | string, Cbor>

function head(major: number, length: number): Buffer {
  if (length < 24) return Buffer.from([(major << 5) | length])
  if (length < 256) return Buffer.from([(major << 5) | 24, length])
  return Buffer.from([(major << 5) | 25, length >> 8, length & 255])
}

function cbor(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  return Buffer.concat([head(5, value.size), ...[...value].flatMap((pair) => pair.map(cbor))])
}

const sha256 = (data: string | Buffer): Buffer => createHash('sha256').update(data).digest()
const text = (data: Buffer): string => data.toString('base64url')

/** Values that replace those of a correct response, to make it invalid. */
export interface Faults {
  origin?: string
  rpId?: string
  type?: string
  crossOrigin?: boolean
  /** Bits: user present (1), user verified (4), backup eligible (8), backed up (16). */
  flags?: number
  counter?: number
  /** Replaces the public key. The entries have COSE labels. */
  key?: [number, Cbor][]
}

const clientData = (type: string, challenge: string, faults: Faults): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: faults.type ?? type,
      challenge,
      origin: faults.origin ?? 'http://localhost:8000',
      crossOrigin: faults.crossOrigin ?? false,
    }),
  )

function authenticatorData(flags: number, { rpId = 'localhost', counter = 0 }: Faults): Buffer {
  const count = Buffer.alloc(4)
  count.writeUInt32BE(counter)
  return Buffer.concat([sha256(rpId), Buffer.from([flags]), count])
}

const keyGenerators = {
  ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  EdDSA: () => generateKeyPairSync('ed25519'),
  RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
}

const bytes = (value = ''): Buffer => Buffer.from(value, 'base64url')

function toCoseKey(publicKey: KeyObject): [number, Cbor][] {
  const jwk = publicKey.export({ format: 'jwk' })
  if (jwk.kty === 'RSA')
    return [
      [1, 3],
      [3, -257],
      [-1, bytes(jwk.n)],
      [-2, bytes(jwk.e)],
    ]
  if (jwk.kty === 'OKP')
    return [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(jwk.x)],
    ]
  return [
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(jwk.x)],
    [-3, bytes(jwk.y)],
  ]
}

interface AuthenticatorOptions {
  algorithm?: keyof typeof keyGenerators
  id?: Buffer
}

export function createAuthenticator({ algorithm = 'ES256', id = randomBytes(32) }: AuthenticatorOptions = {}) {
  const { privateKey, publicKey } = keyGenerators[algorithm]()
  let handle = ''

  const common = { id: text(id), rawId: text(id), type: 'public-key' }
  return {
    id: text(id),

    create({ challenge, user }: { challenge: string; user: { id: string } }, faults: Faults = {}) {
      handle = user.id
      const key = new Map(faults.key ?? toCoseKey(publicKey))
      const length = Buffer.from([id.length >> 8, id.length & 255])
      const attested = Buffer.concat([Buffer.alloc(16), length, id, cbor(key)])
      const authData = Buffer.concat([authenticatorData((faults.flags ?? 5) | 64, faults), attested])
      const attestation = new Map<string, Cbor>([
        ['fmt', 'none'],
        ['attStmt', new Map()],
        ['authData', authData],
      ])
      const clientDataJSON = text(clientData('webauthn.create', challenge, faults))
      return {
        ...common,
        response: { clientDataJSON, attestationObject: text(cbor(attestation)), transports: ['usb'] },
      }
    },

    get({ challenge }: { challenge: string }, faults: Faults & { userHandle?: string | undefined } = {}) {
      const client = clientData('webauthn.get', challenge, faults)
      const data = authenticatorData(faults.flags ?? 5, faults)
      const signature = text(
        sign(algorithm === 'EdDSA' ? null : 'sha256', Buffer.concat([data, sha256(client)]), privateKey),
      )
      const userHandle = 'userHandle' in faults ? faults.userHandle : handle
      const response = { clientDataJSON: text(client), authenticatorData: text(data), signature, userHandle }
      return { ...common, response }
    },
  }
}
