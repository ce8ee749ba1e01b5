import {
  type AuthenticationResponseJSON,
  generateAuthenticationOptions,
  generateRegistrationOptions,
  type RegistrationResponseJSON,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server'
import { decodeAttestationObject, decodeClientDataJSON, isoBase64URL } from '@simplewebauthn/server/helpers'
import type { PasskeyCreation, PasskeyRequest } from '../contract/types.gen.ts'
import type { Flag } from '../tables.ts'
import type { User } from '../users/queries.ts'
import { PASSKEY_MS } from './challenges.ts'
import { ALGORITHMS, requireUsableKey } from './public-key.ts'
import type { Descriptor, StoredCredential } from './passkey-queries.ts'
import type { RelyingParty } from './relying-party.ts'

/** WebAuthn Level 3, 7.1, requires this maximum. */
const MAX_ID_BYTES = 1023

type Given<T extends { clientExtensionResults: unknown }> = Omit<T, 'clientExtensionResults'>
export type Registration = Given<RegistrationResponseJSON>
export type Authentication = Given<AuthenticationResponseJSON>

export interface Expected {
  party: RelyingParty
  challenge: string
}

/** @param allowCredentials empty to let the browser offer all passkeys of this party */
export async function requestOptions({ id }: RelyingParty, allowCredentials: Descriptor[]) {
  const options = await generateAuthenticationOptions({
    rpID: id,
    timeout: PASSKEY_MS,
    userVerification: 'required',
    allowCredentials,
  })
  return options as PasskeyRequest['options']
}

export async function creationOptions(
  { id, name }: RelyingParty,
  user: User,
  handle: string,
  excludeCredentials: Descriptor[],
): Promise<PasskeyCreation['options']> {
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    userID: isoBase64URL.toBuffer(handle),
    userName: user.email,
    userDisplayName: user.full_name ?? user.email,
    timeout: PASSKEY_MS,
    attestationType: 'none',
    supportedAlgorithmIDs: ALGORITHMS,
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    excludeCredentials,
  })
  return options as PasskeyCreation['options']
}

const toFlag = (value: boolean): Flag => (value ? 1 : 0)

const expectations = ({ party, challenge }: Expected) => ({
  expectedChallenge: challenge,
  expectedOrigin: party.origin,
  expectedRPID: party.id,
  requireUserVerification: true,
})

/** Refuses a frame in a page of another site. The library accepts the frame if the browser does not name that site. */
function refuseFrames(clientDataJSON: string): void {
  const { crossOrigin, topOrigin } = decodeClientDataJSON(clientDataJSON)
  if (crossOrigin === true || topOrigin !== undefined) throw new Error('A frame of another site')
}

/** @returns the columns of a new passkey @throws Error for anything that is not right */
export async function verifyRegistration(credential: Registration, expected: Expected) {
  refuseFrames(credential.response.clientDataJSON)
  const attestation = decodeAttestationObject(isoBase64URL.toBuffer(credential.response.attestationObject))
  // Otherwise the library would send requests to addresses in the certificates of an attestation.
  const isPlain = attestation.get('fmt') === 'none' || attestation.get('fmt') === 'packed'
  if (!isPlain || attestation.get('attStmt').get('x5c') !== undefined)
    throw new Error('An attestation was not asked for')
  const verified = await verifyRegistrationResponse({
    ...expectations(expected),
    response: { ...credential, clientExtensionResults: {} },
    supportedAlgorithmIDs: ALGORITHMS,
  })
  if (!verified.verified) throw new Error('Not verified')
  const { credential: made, credentialBackedUp, credentialDeviceType } = verified.registrationInfo
  if (made.id !== credential.id) throw new Error('Another credential is attested')
  if (isoBase64URL.toBuffer(made.id).length > MAX_ID_BYTES) throw new Error('The id is too long')
  requireUsableKey(made.publicKey)
  return {
    credential_id: made.id,
    public_key: isoBase64URL.fromBuffer(made.publicKey),
    counter: made.counter,
    is_syncable: toFlag(credentialDeviceType === 'multiDevice'),
    is_synced: toFlag(credentialBackedUp),
  }
}

/**
 * @returns the columns of a use, and whether the passkey was copied, because its counter did not grow. The counters of
 * backed-up passkeys are ignored.
 * @throws Error for anything that is not right
 */
export async function verifyAuthentication(credential: Authentication, stored: StoredCredential, expected: Expected) {
  refuseFrames(credential.response.clientDataJSON)
  const { userHandle } = credential.response
  if (userHandle !== undefined && userHandle !== stored.handle) throw new Error('Another handle')
  const { verified, authenticationInfo: info } = await verifyAuthenticationResponse({
    ...expectations(expected),
    response: { ...credential, clientExtensionResults: {} },
    credential: { id: stored.credential_id, publicKey: isoBase64URL.toBuffer(stored.public_key), counter: 0 },
  })
  if (!verified) throw new Error('Not verified')
  if (toFlag(info.credentialDeviceType === 'multiDevice') !== stored.is_syncable) throw new Error('Another kind')
  const isCounted = !info.credentialBackedUp && (info.newCounter > 0 || stored.counter > 0)
  return {
    use: { counter: info.newCounter, is_synced: toFlag(info.credentialBackedUp) },
    isCopy: isCounted && info.newCounter <= stored.counter,
  }
}
