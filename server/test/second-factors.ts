import { totpCode } from '../../tests/support/totp.ts'
import type { Person, RequestOptions, TestApp } from './build-test-app.ts'

export interface Asked {
  detail: string
  second_factor: { login: string; methods: string[]; enrol: boolean }
}

/** Sets up an authenticator app. @returns its secret, the recovery codes, and the code that confirmed it */
export async function setUpApp(app: TestApp, person: Person) {
  const begun = await person.post('/users/me/totp')
  const { secret, uri } = begun.json<{ secret: string; uri: string }>()
  const code = totpCode(secret, app.clock.now())
  const confirmed = await person.post('/users/me/totp/confirm', { code })
  return { secret, uri, code, codes: confirmed.json<{ recovery_codes: string[] }>().recovery_codes }
}

/** A log-in with the right password of an account that needs more. */
export async function askForSecondStep(app: TestApp, { email, password }: Person): Promise<Asked> {
  const answer = await app.tryLogIn(email, password)
  if (answer.statusCode !== 400) throw new Error(`No second step: ${answer.statusCode}`)
  return answer.json<Asked>()
}

export function finish(app: TestApp, login: string, code: string, options: RequestOptions = {}) {
  return app.anonymous.post('/login/second-factor', { login, code }, options)
}
