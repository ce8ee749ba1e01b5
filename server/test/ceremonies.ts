import { createAuthenticator, type Faults } from '../../tests/support/authenticator.ts'
import type { Client, RequestOptions, TestApp } from './build-test-app.ts'

export interface Begun {
  ceremony: string
  options: { challenge: string; user: { id: string } }
}

export type Authenticator = ReturnType<typeof createAuthenticator>

/** A credential that no authenticator has made. */
export const forgedCredential = {
  id: 'x',
  rawId: 'x',
  type: 'public-key',
  response: { clientDataJSON: 'x', attestationObject: 'x', authenticatorData: 'x', signature: 'x' },
}

export const unverified = [400, { detail: 'This passkey could not be verified' }]

export const paths = {
  'log-in': { begin: '/login/passkey/options', end: '/login/passkey' },
  registration: { begin: '/users/me/passkeys/options', end: '/users/me/passkeys' },
  confirmation: { begin: '/users/me/confirm/options', end: '/users/me/confirm' },
} as const

export async function begin(client: Client, purpose: keyof typeof paths, options?: RequestOptions): Promise<Begun> {
  return (await client.post(paths[purpose].begin, undefined, options)).json<Begun>()
}

export async function register(client: Client, key: Authenticator = createAuthenticator(), faults: Faults = {}) {
  const { ceremony, options } = await begin(client, 'registration')
  const json = { ceremony, credential: key.create(options, faults), name: ' My key ' }
  return { key, made: await client.post('/users/me/passkeys', json) }
}

export async function logInWith(
  app: TestApp,
  key: Authenticator,
  faults: Faults & { userHandle?: string | undefined } = {},
) {
  const { ceremony, options } = await begin(app.anonymous, 'log-in')
  return app.anonymous.post('/login/passkey', { ceremony, credential: key.get(options, faults) })
}
