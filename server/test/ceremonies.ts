import { createAuthenticator, type Faults } from '../../tests/support/authenticator.ts'
import type { Person, RequestOptions, TestApp } from './build-test-app.ts'

export interface Begun {
  ceremony: string
  options: { challenge: string; user: { id: string } }
}

export type Authenticator = ReturnType<typeof createAuthenticator>

export const unverified = [400, { detail: 'This passkey could not be verified' }]

/** Where each ceremony begins and ends. */
export const paths = {
  'log-in': { begin: '/login/passkey/options', end: '/login/passkey' },
  registration: { begin: '/users/me/passkeys/options', end: '/users/me/passkeys' },
  confirmation: { begin: '/users/me/confirm/options', end: '/users/me/confirm' },
} as const

export async function begin(app: TestApp, purpose: keyof typeof paths, request: RequestOptions = {}): Promise<Begun> {
  return (await app.request('POST', paths[purpose].begin, request)).json<Begun>()
}

export async function register(
  app: TestApp,
  { token }: Person,
  key: Authenticator = createAuthenticator(),
  faults: Faults = {},
) {
  const { ceremony, options } = await begin(app, 'registration', { token })
  const json = { ceremony, credential: key.create(options, faults), name: ' My key ' }
  return { key, made: await app.request('POST', '/users/me/passkeys', { token, json }) }
}

export async function logInWith(
  app: TestApp,
  key: Authenticator,
  faults: Faults & { userHandle?: string | undefined } = {},
) {
  const { ceremony, options } = await begin(app, 'log-in')
  return app.request('POST', '/login/passkey', { json: { ceremony, credential: key.get(options, faults) } })
}
