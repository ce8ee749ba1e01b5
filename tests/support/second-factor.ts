import { http, HttpResponse, type HttpHandler } from 'msw'
import type { PasskeyPublic, SecondFactor, SecondStep, UserPublic } from '@/client/types.gen'
import { message, refusal } from './responses'

export const rightCode = '123456'

export const totpSecret = {
  secret: 'JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP',
  uri: 'otpauth://totp/Steward:ada%40example.com?secret=JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP&issuer=Steward',
}

export const recoveryCodes = Array.from('ABCDEFGHIJ', (letter) => Array<string>(4).fill(letter.repeat(4)).join('-'))

export function makePasskey(values: Partial<PasskeyPublic> = {}): PasskeyPublic {
  return {
    id: crypto.randomUUID(),
    name: 'Firefox on Windows',
    created_at: '2026-01-01T00:00:00.000Z',
    last_used_at: null,
    is_synced: false,
    ...values,
  }
}

const none: SecondFactor = { totp: false, passkeys: 0, recovery_codes_left: 0, required: false }

export class Factors {
  hasPasskeys = false
  passkeys: PasskeyPublic[] = []
  own: SecondFactor = { ...none }
  /** Second factors of other accounts, by the id of the account. */
  others: Record<string, SecondFactor> = {}
  step: SecondStep | undefined
}

type Reply = (request: Request, id: string) => Response | Promise<Response>
type Resolve = (info: { request: Request; params: Record<string, unknown> }) => Response | Promise<Response>

interface Host {
  token: string
  users: UserPublic[]
  factors: Factors
}

async function isRight(request: Request): Promise<boolean> {
  return ((await request.json()) as { code: string }).code === rightCode
}

const incorrect = () => refusal(400, 'Incorrect code')

/** @param known restricts a handler to sessions and to back ends with capabilities */
export function factorHandlers(api: string, backend: Host, known: (reply: Reply) => Resolve): HttpHandler[] {
  const { factors } = backend
  const codes = (more: object = {}) => {
    Object.assign(factors.own, { totp: true, recovery_codes_left: recoveryCodes.length })
    return HttpResponse.json({ recovery_codes: recoveryCodes, ...more })
  }
  const session = () => ({ access_token: backend.token, token_type: 'bearer' })
  return [
    http.post(`${api}/login/second-factor`, async ({ request }) =>
      (await isRight(request)) ? HttpResponse.json(session()) : incorrect(),
    ),
    http.post(`${api}/login/enrolment`, () => HttpResponse.json(totpSecret)),
    http.post(`${api}/login/enrolment/confirm`, async ({ request }) =>
      (await isRight(request)) ? codes(session()) : incorrect(),
    ),
    http.get(
      `${api}/users/me/second-factor`,
      known(() => HttpResponse.json(factors.own)),
    ),
    http.post(
      `${api}/users/me/totp`,
      known(() => HttpResponse.json(totpSecret)),
    ),
    http.post(
      `${api}/users/me/totp/confirm`,
      known(async (request) => ((await isRight(request)) ? codes() : incorrect())),
    ),
    http.delete(
      `${api}/users/me/totp`,
      known(() => {
        Object.assign(factors.own, { totp: false, recovery_codes_left: 0 })
        return message('Removed')
      }),
    ),
    http.post(
      `${api}/users/me/recovery-codes`,
      known(() => codes()),
    ),
    http.get(
      `${api}/users/:id/second-factor`,
      known((_, id) =>
        backend.users.some((user) => user.id === id)
          ? HttpResponse.json(factors.others[id] ?? none)
          : refusal(404, 'User not found'),
      ),
    ),
    http.delete(
      `${api}/users/:id/second-factor`,
      known((_, id) => {
        factors.others[id] = none
        return message('Reset')
      }),
    ),
    http.get(
      `${api}/users/me/passkeys`,
      known(() => HttpResponse.json({ data: factors.passkeys, count: factors.passkeys.length })),
    ),
    http.patch(
      `${api}/users/me/passkeys/:id`,
      known(async (request, id) => {
        const passkey = factors.passkeys.find((one) => one.id === id)
        if (!passkey) return refusal(404, 'Passkey not found')
        return HttpResponse.json(Object.assign(passkey, await request.json()))
      }),
    ),
    http.delete(
      `${api}/users/me/passkeys/:id`,
      known((_, id) => {
        factors.passkeys = factors.passkeys.filter((one) => one.id !== id)
        return message('Deleted')
      }),
    ),
  ]
}
