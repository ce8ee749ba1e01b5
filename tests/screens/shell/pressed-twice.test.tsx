import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { http } from 'msw'
import { expect, onTestFinished, test, vi } from 'vitest'
import { makeApiToken } from '../../support/api-tokens'
import { type Backend, makeUser, never } from '../../support/backend'
import { oneItem, itemsPath, withItem } from '../../support/items/rows'
import { makeIdentity } from '../../support/identities'
import { network } from '../../support/network'
import { makeEntry, makeSession } from '../../support/people'
import { renderApp, roundTrip } from '../../support/render-app'
import { makePasskey } from '../../support/second-factor'
import { stubPasskeys } from '../../support/stub-passkeys'

vi.mock('@/browser/save-file', () => ({ saveFile: () => undefined, fileNameOf: () => undefined }))
vi.mock('@/browser/leave-to', () => ({ leaveTo: async () => undefined }))

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace' })
const eve = makeUser({ email: 'eve@example.com', full_name: 'Eve', is_invited: true })
const passkey = makePasskey()
const token = makeApiToken()
const identity = makeIdentity()

function prepare(backend: Backend): void {
  backend.users = [grace, eve, root].map((user) => ({ ...user }))
  backend.people.sessions = {
    [root.id]: [makeSession({ current: true }), makeSession()],
    [grace.id]: [makeSession()],
  }
  backend.people.audit = [makeEntry()]
  backend.apiTokens = { [root.id]: [token], [grace.id]: [token] }
  backend.factors.hasPasskeys = true
  backend.factors.passkeys = [passkey]
  backend.identities.provider = { name: 'Example', log_out: null }
}

const withApp = ({ factors, identities }: Backend): void => {
  factors.own.totp = true
  identities.own = [identity]
}

/** The requests that the buttons of a screen or dialog send, except reads. Fields are filled before. */
const screens: [url: string, sends: string[], more?: (backend: Backend) => void][] = [
  ['/login', ['POST /login/access-token', 'POST /login/passkey/options']],
  ['/signup', ['POST /users/signup']],
  ['/recover-password', ['POST /password-recovery/new%40example.com']],
  ['/reset-password?token=x', ['POST /reset-password/']],
  ['/accept-invitation?token=x', ['POST /accept-invitation']],
  ['/items', ['GET /items/export'], withItem],
  [`${itemsPath}?add`, ['POST /items/']],
  [`/items?edit=${oneItem.id}`, [`PUT /items/${oneItem.id}`], withItem],
  [`/items?delete=${oneItem.id}`, [`DELETE /items/${oneItem.id}`], withItem],
  ['/users', ['GET /users/export']],
  ['/users?add', ['POST /users/']],
  ['/users?invite', ['POST /users/invite']],
  [`/users?resend=${eve.id}`, [`POST /users/${eve.id}/invite`]],
  [`/users?edit=${grace.id}`, [`PATCH /users/${grace.id}`]],
  [`/users?delete=${grace.id}`, [`DELETE /users/${grace.id}`]],
  [`/users?deactivate=${grace.id}`, [`PATCH /users/${grace.id}`]],
  [`/users?reset_password=${grace.id}`, [`POST /users/${grace.id}/password-reset`]],
  [`/users/${grace.id}?end_sessions=${grace.id}`, [`POST /users/${grace.id}/sessions/end`]],
  [`/users/${grace.id}?reset_second_factor=${grace.id}`, [`DELETE /users/${grace.id}/second-factor`]],
  [`/users/${grace.id}?delete_token=${token.id}`, [`DELETE /users/${grace.id}/tokens/${token.id}`]],
  ['/audit', ['GET /audit/export']],
  [
    '/security',
    [
      'DELETE /users/me/sessions/SESSION',
      'POST /users/me/identities/options',
      'POST /users/me/passkeys/options',
      'POST /users/me/sessions/end-others',
      'POST /users/me/totp',
    ],
  ],
  [`/security?edit=${passkey.id}`, [`PATCH /users/me/passkeys/${passkey.id}`]],
  [`/security?delete=${passkey.id}`, [`DELETE /users/me/passkeys/${passkey.id}`]],
  ['/security?create_token', ['POST /users/me/tokens']],
  [`/security?delete_token=${token.id}`, [`DELETE /users/me/tokens/${token.id}`]],
  ['/security?new_codes', ['POST /users/me/recovery-codes'], withApp],
  ['/security?turn_off', ['DELETE /users/me/totp'], withApp],
  [`/security?delete_identity=${identity.id}`, [`DELETE /users/me/identities/${identity.id}`], withApp],
  ['/settings', ['PATCH /users/me']],
  ['/settings?tab=password', ['PATCH /users/me/password']],
]

async function open(url: string, more?: (backend: Backend) => void) {
  cleanup()
  localStorage.clear()
  const isGuest = /^\/(login|signup|recover|reset|accept)/.test(url)
  const { queryClient } = await renderApp({
    url,
    ...(!isGuest && { user: root }),
    prepare: (backend) => {
      prepare(backend)
      more?.(backend)
      network.use(http.post('*/passkey/options', never), http.post('*/passkeys/options', never))
    },
  })
  if (url.includes('?') && !isGuest && !url.includes('tab=')) await screen.findByRole('dialog')
  // A response may cause another request before the form appears.
  for (let times = 0; times < 3; times += 1) {
    await roundTrip()
    await waitFor(() => expect(queryClient.isFetching()).toBe(0))
  }
}

const isShown = (element: Element) => element.closest('[hidden], [style*="display: none"]') === null

function buttons(): HTMLElement[] {
  const scope = document.querySelector('[role=dialog]') ?? document.querySelector('main') ?? document.body
  return Array.from(scope.querySelectorAll<HTMLButtonElement>('button:enabled')).filter(isShown)
}

const nameOf = (button: HTMLElement) => button.getAttribute('aria-label') ?? button.textContent

async function fill(): Promise<void> {
  const scope = document.querySelector('[role=dialog]') ?? document
  for (const field of scope.querySelectorAll<HTMLInputElement>('form :is(input, textarea)')) {
    if (!isShown(field) || !['text', 'email', 'password', 'textarea'].includes(field.type)) continue
    const isEmail = [field.type, field.inputMode].includes('email')
    const password = field.name === 'current_password' ? 'correct horse' : 'another horse'
    const value = isEmail ? 'new@example.com' : field.type === 'password' ? password : 'Text'
    fireEvent.change(field, { target: { value } })
    fireEvent.blur(field)
  }
  await roundTrip()
}

test.each(screens)('two presses at once on a button of %s send one request', async (url, sends, more) => {
  stubPasskeys({ create: () => new Promise(() => undefined), get: () => new Promise(() => undefined) })
  const sent: string[] = []
  const record = ({ request }: { request: Request }) => {
    const { pathname, search } = new URL(request.url)
    sent.push(`${request.method} ${pathname.replace('/api/v1', '')}${search}`)
  }
  network.events.on('request:start', record)
  onTestFinished(() => network.events.removeListener('request:start', record))
  const all = new Set<string>()
  let names: string[] = []
  for (let index = 0; index === 0 || index < names.length; index += 1) {
    await open(url, more)
    await fill()
    names = buttons().map(nameOf)
    const button = buttons()[index]
    sent.length = 0
    act(() => {
      button?.click()
      button?.click()
    })
    await roundTrip()
    await roundTrip()
    const twice = sent.filter((one, at) => sent.indexOf(one) !== at && !one.endsWith('/instance'))
    expect([names[index], twice]).toEqual([names[index], []])
    for (const one of sent) if (!one.startsWith('GET') || one.includes('export')) all.add(one.split('?')[0] ?? '')
  }
  const sessionId = /(?<=sessions\/)[\da-f-]{36}/
  expect([...all].map((one) => one.replace(sessionId, 'SESSION')).toSorted()).toEqual(sends)
})
