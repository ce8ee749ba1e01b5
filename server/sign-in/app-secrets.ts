import type { SecretsAtRest } from '../platform/encryption-at-rest.ts'

export const appSecrets: SecretsAtRest = {
  purpose: 'secrets of authenticator apps',
  noKey: 'nobody can set up an authenticator app',
  notEncrypted: 'Authenticator apps cannot be set up now',
  lostKey: 'The key of the authenticator apps was lost or changed: their codes are not accepted',
  notDecrypted: 'Codes of authenticator apps cannot be checked now, please use a recovery code or a passkey',
}
