import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp, roundTrip } from '../../support/render-app'
import { answerOf, stubPasskeys } from '../../support/stub-passkeys'
import { makePasskey } from '../../support/second-factor'

const laptop = () =>
  makePasskey({ id: 'laptop', name: 'My laptop', is_synced: true, last_used_at: '2026-01-02T00:00:00.000Z' })

beforeEach(() => stubPasskeys())

async function open(passkeys = [laptop(), makePasskey({ id: 'phone' })], url = '/security') {
  const app = await renderApp({
    url,
    user: makeUser(),
    prepare: ({ factors }) => Object.assign(factors, { hasPasskeys: true, passkeys }),
  })
  await screen.findByRole('heading', { name: 'Passkeys' })
  return app
}

const rows = () => within(screen.getByRole('list', { name: 'Passkeys' })).getAllByRole('listitem')
const press = (name: string) => screen.findByRole('button', { name })

describe('passkeys on /security', () => {
  test('are listed with name, age, last use and whether they are synced', async () => {
    await open()
    await screen.findByRole('list', { name: 'Passkeys' })
    const [first, second] = rows().map(({ textContent }) => textContent)
    expect(first).toMatch(/^My laptopSyncedAdded .+ ago · Last used .+ agoRenameDelete$/)
    expect(second).toMatch(/^Firefox on WindowsAdded .+ ago · Never usedRenameDelete$/)
  })

  test('none: the section says so', async () => {
    await open([])
    expect(await screen.findByText('You have no passkeys.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Add Passkey' })).toBeInTheDocument()
  })

  test('a passkey is renamed', async () => {
    const { actor } = await open()
    await actor.click(await press('Rename My laptop'))
    const dialog = await screen.findByRole('dialog', { name: 'Rename Passkey' })
    const name = within(dialog).getByLabelText(/^Name/)
    await actor.clear(name)
    await actor.type(name, ' Work {Enter}')
    await expectToast('Passkey renamed.', 'success')
    await waitFor(() => expect(rows()[0]).toHaveTextContent(/^Work/))
    expect(requestsTo('PATCH /users/me/passkeys/laptop').map(({ body }) => body)).toEqual([{ name: 'Work' }])
  })

  test('a passkey is deleted after a question', async () => {
    const { actor } = await open()
    await actor.click(await press('Delete My laptop'))
    const dialog = await screen.findByRole('dialog', { name: 'Delete Passkey' })
    expect(dialog).toHaveTextContent('You can no longer log in with this passkey.')
    await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
    await expectToast('Passkey deleted.', 'success')
    await waitFor(() => expect(rows()).toHaveLength(1))
  })

  test('a passkey that is not there any more has no dialog', async () => {
    const { router } = await open(undefined, '/security?delete=gone')
    await expectToast('This passkey no longer exists.', 'error')
    await waitFor(() => expect(router.state.location.href).toBe('/security'))
  })

  test('a refused registration is a toast', async () => {
    const { actor } = await open()
    network.use(http.post('*/users/me/passkeys/options', () => refusal(409, 'At most 20 passkeys')))
    await actor.click(await press('Add Passkey'))
    await expectToast('At most 20 passkeys', 'error')
  })

  describe('a new passkey', () => {
    const credential = { id: 'AQID', rawId: 'AQID', type: 'public-key' }
    const options = {
      rp: { id: 'localhost', name: 'Steward' },
      user: { id: 'AAAA', name: 'ada@example.com', displayName: 'Ada' },
      challenge: 'AAAA',
      pubKeyCredParams: [{ type: 'public-key', alg: -7 }],
      authenticatorSelection: { requireResidentKey: true, userVerification: 'required' },
      excludeCredentials: [],
    }
    const add = async (create: () => Promise<unknown>, changed: object = {}) => {
      stubPasskeys({ create })
      const { actor } = await open()
      network.use(
        http.post('*/users/me/passkeys/options', () =>
          HttpResponse.json({ ceremony: 'begun', options: { ...options, ...changed } }),
        ),
        http.post('*/users/me/passkeys', () => HttpResponse.json(makePasskey())),
      )
      await actor.click(await press('Add Passkey'))
    }

    test.each([
      ['lacks', {}],
      ['cannot use', { toJSON: () => expect.unreachable() as object }],
    ])('is made of the parts of a credential, which %s `toJSON`', async (_what, more) => {
      const parts = { clientDataJSON: 'Y2xpZW50', attestationObject: 'b2JqZWN0' }
      await add(() => Promise.resolve({ ...answerOf(parts), ...more }))
      await expectToast('Passkey added.', 'success')
      const [sent] = requestsTo('POST /users/me/passkeys').map(({ body }) => body)
      expect(sent).toMatchObject({ ceremony: 'begun', credential: { ...credential, response: parts } })
    })

    test.each([
      ['InvalidStateError', 'This device already has a passkey for your account.', {}],
      ['ConstraintError', 'This device cannot store a passkey. Set up its screen lock or PIN, or use another one.', {}],
      ['SecurityError', 'Passkeys do not work at this address.', { rp: { id: 'example.com', name: 'Steward' } }],
      ['NotReadableError', 'The passkey could not be used.', {}],
    ])('that ends with a %s says so', async (name, message, changed) => {
      await add(() => Promise.reject(new DOMException('The browser refuses', name)), changed)
      await expectToast(message, 'error')
    })

    test('that the person does not want leaves the page as it is', async () => {
      await add(() => Promise.reject(new DOMException('Cancelled', 'NotAllowedError')))
      await waitFor(async () => expect(await press('Add Passkey')).not.toHaveAttribute('aria-busy'))
      expect(screen.queryByText('The passkey could not be used.')).not.toBeInTheDocument()
      expect(requestsTo('POST /users/me/passkeys')).toEqual([])
    })
  })

  test('a browser without passkeys has no such section', async () => {
    vi.unstubAllGlobals()
    await renderApp({ url: '/security', user: makeUser(), prepare: ({ factors }) => void (factors.hasPasskeys = true) })
    await screen.findByRole('heading', { name: 'Two-step login' })
    expect(screen.queryByText('Passkeys')).not.toBeInTheDocument()
    expect(requestsTo('GET /users/me/passkeys')).toEqual([])
  })

  test('a back end without them has no such section', async () => {
    await renderApp({ url: '/security', user: makeUser() })
    await screen.findByRole('heading', { name: 'Sessions' })
    await waitFor(() => expect(requestsTo('GET /instance')).toHaveLength(1))
    await roundTrip()
    expect(screen.queryByText('Passkeys')).not.toBeInTheDocument()
    expect(requestsTo('GET /users/me/passkeys')).toEqual([])
  })
})

describe('passkeys on /login', () => {
  const name = 'Log in with a passkey'

  test('the button keeps its place, and is offered after the back end has said so', async () => {
    const { actor } = await renderApp({ url: '/login', prepare: ({ factors }) => void (factors.hasPasskeys = true) })
    const button = await press(name)
    network.use(http.post('*/login/passkey/options', () => refusal(429, 'Too many', { 'Retry-After': '60' })))
    await actor.click(button)
    await expectToast('Too many', 'error')
    expect(screen.getByText('Try again in 1 minute.')).toBeInTheDocument()
    expect(button).not.toHaveAttribute('aria-busy')
  })

  test.each(['button', 'suggestion'])('a %s logs in with the parts of a credential, without `toJSON`', async (way) => {
    const parts = { clientDataJSON: 'Y2xpZW50', authenticatorData: 'ZGF0YQ', signature: 'c2lnbg', userHandle: 'AAAA' }
    const asked: unknown[] = []
    const get = ({ mediation, signal }: CredentialRequestOptions): Promise<unknown> => {
      asked.push(mediation)
      if (mediation !== 'conditional' || way === 'suggestion') return Promise.resolve(answerOf(parts))
      return new Promise((_resolve, reject) => {
        signal?.addEventListener('abort', () => reject(signal.reason as Error))
      })
    }
    stubPasskeys({ get, suggests: true })
    const { actor, backend } = await renderApp({
      url: '/login',
      prepare: ({ factors }) => void (factors.hasPasskeys = true),
    })
    network.use(
      http.post('*/login/passkey/options', () =>
        HttpResponse.json({
          ceremony: 'begun',
          options: { challenge: 'AAAA', rpId: 'localhost', allowCredentials: [] },
        }),
      ),
      http.post('*/login/passkey', () => HttpResponse.json({ access_token: backend.token, token_type: 'bearer' })),
    )
    backend.user = makeUser()
    await waitFor(() => expect(asked).toEqual(['conditional']))
    if (way === 'button') await actor.click(await press(name))
    await screen.findByRole('heading', { name: /^Hi, / })
    expect(asked).toEqual(way === 'button' ? ['conditional', undefined] : ['conditional'])
    expect(requestsTo('POST /login/passkey').map(({ body }) => body)).toMatchObject([
      { ceremony: 'begun', credential: { id: 'AQID', rawId: 'AQID', type: 'public-key', response: parts } },
    ])
  })

  test('a back end without passkeys has no button', async () => {
    await renderApp({ url: '/login' })
    await waitFor(() => expect(requestsTo('GET /instance')).toHaveLength(1))
    expect(screen.queryByRole('button', { name })).not.toBeInTheDocument()
    expect(screen.getByText(name)).not.toBeVisible()
  })
})
