import { STEP_MS, totpCode, wrongTotpCode } from '../../tests/support/totp.ts'
import type { Person, RequestOptions, TestApp } from './build-test-app.ts'

export interface Asked {
  detail: string
  second_factor: { login: string; methods: string[]; enrol: boolean }
}

export async function setUpApp(app: TestApp, person: Person) {
  const begun = await person.post('/users/me/totp')
  const { secret, uri } = begun.json<{ secret: string; uri: string }>()
  const code = totpCode(secret, app.clock.now())
  const confirmed = await person.post('/users/me/totp/confirm', { code })
  return { secret, uri, code, codes: confirmed.json<{ recovery_codes: string[] }>().recovery_codes }
}

export async function newUserWithApp(app: TestApp) {
  const ada = await app.newUser()
  const made = await setUpApp(app, ada)
  app.clock.advance(2 * STEP_MS)
  const show = () => totpCode(made.secret, app.clock.now())
  return { app, ada, ...made, show, showWrong: () => wrongTotpCode(made.secret, app.clock.now()) }
}

/** Logs in with the correct password to an account that needs a second step. */
export async function askForSecondStep(app: TestApp, { email, password }: Person): Promise<Asked> {
  const answer = await app.tryLogIn(email, password)
  if (answer.statusCode !== 400) throw new Error(`No second step: ${answer.statusCode}`)
  return answer.json<Asked>()
}

/** @returns the id of the log-in that waits for a code */
export async function ask(app: TestApp, person: Person): Promise<string> {
  return (await askForSecondStep(app, person)).second_factor.login
}

export function finish(app: TestApp, login: string, code: string, options: RequestOptions = {}) {
  return app.anonymous.post('/login/second-factor', { login, code }, options)
}
