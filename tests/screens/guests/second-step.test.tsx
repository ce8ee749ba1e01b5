import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import type { SecondStep } from '@/client/types.gen'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'
import { stubPasskeys } from '../../support/stub-passkeys'
import { recoveryCodes, rightCode, totpSecret } from '../../support/second-factor'

const login = 'the-begun-log-in'
const over = 'This log-in has expired, please start again'
const both: Partial<SecondStep> = { methods: ['totp', 'recovery_code'] }

async function logIn(step: Partial<SecondStep> = both, { withPasskeys = false } = {}) {
  const app = await renderApp({
    url: '/login',
    prepare: (backend) => {
      backend.user = makeUser({ email: 'ada@example.com' })
      backend.factors.hasPasskeys = withPasskeys
      backend.factors.step = { login, methods: ['totp'], enrol: false, ...step }
    },
  })
  await app.actor.type(screen.getByLabelText(/^Email/), 'ada@example.com')
  await app.actor.type(screen.getByLabelText(/^Password/), `${app.backend.password}{Enter}`)
  const title = await screen.findByRole('heading', { level: 1, name: 'Two-step login' })
  return { ...app, title }
}

const code = () => screen.getByLabelText(/^Code/)
const dashboard = () => screen.findByRole('heading', { name: 'Hi, Ada Lovelace' })
const sent = () => requestsTo('POST /login/second-factor').map(({ body }) => body)

describe('the second step of a log-in', () => {
  test('asks for a code, for screen readers too, and verifies it', async () => {
    const { actor, backend } = await logIn()
    await waitFor(() => expect(code()).toHaveFocus())
    expect(code()).toHaveAttribute('autocomplete', 'one-time-code')
    expect(code()).toHaveAttribute('inputmode', 'text')
    expect(screen.getByRole('form', { name: 'Two-step login' })).toHaveAccessibleDescription(
      'Enter the code of your authenticator app. If you do not have it, enter one of your recovery codes.',
    )
    expect(screen.queryByLabelText(/^Password/)).not.toBeInTheDocument()
    await actor.type(code(), ' abcd-efgh ijkl-mnop')
    network.use(
      http.post('*/login/second-factor', () =>
        HttpResponse.json({ access_token: backend.token, token_type: 'bearer' }),
      ),
    )
    expect(sent()).toEqual([])
    await actor.click(screen.getByRole('button', { name: 'Verify' }))
    expect(await dashboard()).toHaveFocus()
    expect(sent()).toEqual([{ login, code: 'abcdefghijklmnop' }])
    expect(localStorage.getItem('access_token')).toBe(backend.token)
  })

  test.each(['paste', 'typing'])('six digits are sent at once, and once, after %s', async (way) => {
    const { actor } = await logIn({ methods: ['totp'] })
    expect(code()).toHaveAttribute('inputmode', 'numeric')
    const held = Promise.withResolvers<void>()
    network.use(http.post('*/login/second-factor', () => held.promise))
    await actor.click(code())
    if (way === 'paste') await actor.paste('123 456')
    else await actor.keyboard(rightCode)
    await waitFor(() => expect(sent()).toEqual([{ login, code: rightCode }]))
    await actor.keyboard('{Enter}')
    await actor.click(screen.getByRole('button', { name: 'Verify' }))
    held.resolve()
    await dashboard()
    expect(sent()).toHaveLength(1)
  })

  test.each([
    ['a hyphen', '123-456'],
    ['a dash', '123\u2013456'],
    ['a hyphen that does not break', '123\u2011456'],
    ['a minus sign', '123\u2212456'],
    ['a blank that does not break', '123\u00a0456'],
    ['marks of direction', '\u202a123456\u202c\u200e'],
    ['digits of full width', '\uff11\uff12\uff13\uff0d\uff14\uff15\uff16'],
  ])('a code that is pasted with %s is sent as six digits', async (_what, text) => {
    const { actor } = await logIn({ methods: ['totp'] })
    await actor.click(code())
    await actor.paste(text)
    await dashboard()
    expect(sent()).toEqual([{ login, code: rightCode }])
  })

  test('a wrong code: the message is under the field, whose text is selected', async () => {
    const { actor } = await logIn()
    await actor.type(code(), '654321')
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Incorrect code'))
    const input = code() as HTMLInputElement
    expect(input).toHaveAccessibleDescription('Incorrect code')
    await waitFor(() => expect(input).toHaveFocus())
    expect([input.selectionStart, input.selectionEnd]).toEqual([0, 6])
    await actor.keyboard(rightCode)
    await dashboard()
    expect(sent()).toHaveLength(2)
  })

  test('too many wrong codes: the message says when to try again', async () => {
    const { actor } = await logIn()
    network.use(http.post('*/login/second-factor', () => refusal(429, 'Too many codes', { 'Retry-After': '700' })))
    await actor.type(code(), rightCode)
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Too many codes Try again in 12 minutes.'))
  })

  test('a text that cannot be a code is not sent', async () => {
    const { actor } = await logIn()
    await actor.click(screen.getByRole('button', { name: 'Verify' }))
    expect(await screen.findByText('Code is required')).toBeInTheDocument()
    await actor.type(code(), '12345{Enter}')
    expect(await screen.findByText(/at least 6 character/)).toBeInTheDocument()
    expect(sent()).toEqual([])
  })

  test('a log-in that has expired leads back to the password, and keeps the email', async () => {
    const { actor, router } = await logIn()
    network.use(http.post('*/login/second-factor', () => refusal(410, over)))
    await actor.type(code(), rightCode)
    const password = await screen.findByLabelText(/^Password/)
    await waitFor(() => expect(password).toHaveFocus())
    expect(password).toHaveValue('')
    expect(password).toHaveAccessibleDescription(over)
    expect(screen.getByLabelText(/^Email/)).toHaveValue('ada@example.com')
    expect(router.state.location.href).toBe('/login')
    await actor.keyboard('correct horse{Enter}')
    await screen.findByRole('heading', { name: 'Two-step login' })
    expect(screen.queryByText(over)).not.toBeInTheDocument()
  })

  test('“Start again” leads back to the email', async () => {
    const { actor } = await logIn()
    await actor.click(screen.getByRole('button', { name: 'Start again' }))
    const email = screen.getByLabelText(/^Email/)
    await waitFor(() => expect(email).toHaveFocus())
    expect(email).toHaveValue('ada@example.com')
    expect(screen.getByLabelText(/^Password/)).toHaveValue('')
    expect(screen.getByRole('alert')).toBeEmptyDOMElement()
  })

  describe('goes on after a reload', () => {
    const title = () => screen.findByRole('heading', { level: 1, name: 'Two-step login' })
    const begin = () => screen.findByRole('heading', { level: 1, name: 'Login to your account' })
    async function reload() {
      cleanup()
      return renderApp({ url: '/login', prepare: (backend) => (backend.user = makeUser({ email: 'ada@example.com' })) })
    }

    test('in the same tab, with the same words, and is forgotten once it is done', async () => {
      const { router } = await logIn()
      expect(JSON.stringify([Object.entries(localStorage), router.history.location])).not.toContain(login)
      const { actor, backend } = await reload()
      expect(await title()).toBeInTheDocument()
      expect(screen.getByText(/^Enter the code of your authenticator app\. If you do not have it/)).toBeInTheDocument()
      await waitFor(() => expect(code()).toHaveFocus())
      network.use(
        http.post('*/login/second-factor', () =>
          HttpResponse.json({ access_token: backend.token, token_type: 'bearer' }),
        ),
      )
      await actor.type(code(), rightCode)
      await dashboard()
      expect(sent().at(-1)).toEqual({ login, code: rightCode })
      expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain(login)
    })

    test('but not after “Start again”', async () => {
      const { actor } = await logIn()
      await actor.click(screen.getByRole('button', { name: 'Start again' }))
      await reload()
      expect(await begin()).toBeInTheDocument()
      expect(screen.queryByText(/^Enter the code/)).not.toBeInTheDocument()
    })

    test('but not once the server takes it no more', async () => {
      await logIn()
      vi.setSystemTime(Date.now() + 5 * 60_000)
      onTestFinished(() => void vi.useRealTimers())
      await reload()
      expect(await begin()).toBeInTheDocument()
    })

    test.each(['{', '[]', '{"login":"x"}'])('but not from the damaged text %s', async (text) => {
      sessionStorage.setItem('begun_log_in', text)
      await reload()
      expect(await begin()).toBeInTheDocument()
    })

    test('but not where an app is set up, as the next person in this tab would set up theirs', async () => {
      await logIn({ methods: [], enrol: true })
      expect(await screen.findByRole('img', { name: /QR/ })).toBeInTheDocument()
      expect(JSON.stringify(Object.entries(sessionStorage))).not.toContain(login)
      await reload()
      expect(await begin()).toBeInTheDocument()
      expect(requestsTo('POST /login/enrolment')).toHaveLength(1)
    })
  })

  test('a passkey is offered if the account has one, without a field for codes if it has nothing else', async () => {
    stubPasskeys()
    const app = await logIn({ methods: ['passkey'] }, { withPasskeys: true })
    expect(screen.getByText('Use your passkey to log in.')).toBeInTheDocument()
    expect(screen.queryByLabelText(/^Code/)).not.toBeInTheDocument()
    network.use(http.post('*/login/passkey/options', () => refusal(429, 'Too many')))
    await app.actor.click(await screen.findByRole('button', { name: 'Log in with a passkey' }))
    await expectToast('Too many', 'error')
  })

  test('a browser without passkeys says so', async () => {
    await logIn({ methods: ['passkey'] })
    expect(screen.getByText('Your browser has no passkeys at this address.')).toBeInTheDocument()
    expect(screen.getByRole('button', { name: 'Start again' })).toBeInTheDocument()
  })
})

describe('the enrolment inside a log-in', () => {
  const enrol = () => logIn({ methods: [], enrol: true })

  test('shows the secret as QR code and text, and the recovery codes before the dashboard', async () => {
    const { actor, backend, title, router } = await enrol()
    await waitFor(() => expect(title).toHaveFocus())
    expect(await screen.findByRole('img', { name: 'QR code for your authenticator app' })).toBeInTheDocument()
    expect(screen.getByText('JBSW Y3DP EHPK 3PXP JBSW Y3DP EHPK 3PXP')).toBeInTheDocument()
    await actor.click(screen.getByRole('button', { name: 'Copy Key' }))
    await expectToast('Key copied.', 'success')
    expect(await navigator.clipboard.readText()).toBe(totpSecret.secret)

    await actor.click(code())
    await actor.paste(rightCode)
    const list = await screen.findByRole('list', { name: 'Recovery codes' })
    expect(
      within(list)
        .getAllByRole('listitem')
        .map(({ textContent }) => textContent),
    ).toEqual(recoveryCodes)
    expect(list).toHaveFocus()
    // The token is stored already, so a reload would not lose the session.
    expect(localStorage.getItem('access_token')).toBe(backend.token)
    const done = screen.getByRole('button', { name: 'Done' })
    expect(done).toBeDisabled()
    await actor.click(screen.getByRole('button', { name: 'Copy' }))
    await expectToast('Recovery codes copied.', 'success')
    expect(await navigator.clipboard.readText()).toBe(recoveryCodes.join('\n'))

    await actor.click(screen.getByRole('link'))
    await expectToast('Save your recovery codes first.', 'error')
    expect(list).toBeInTheDocument()
    const stored = JSON.stringify([
      Object.entries(localStorage),
      Object.entries(sessionStorage),
      router.history.location,
    ])
    expect(stored).not.toMatch(/AAAA|JBSW|the-begun/)

    await actor.click(screen.getByRole('checkbox', { name: 'I have saved these codes' }))
    await actor.click(done)
    await dashboard()
    expect(requestsTo('POST /login/enrolment/confirm').map(({ body }) => body)).toEqual([{ login, code: rightCode }])
  })

  test('a wrong code is reported under the field', async () => {
    const { actor } = await enrol()
    await actor.type(code(), '654321')
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('Incorrect code'))
    expect(localStorage.getItem('access_token')).toBeNull()
  })

  test.each([
    [410, over],
    [409, 'An authenticator app is already set up'],
  ])('%i leads back to the password', async (status, detail) => {
    const { actor } = await enrol()
    network.use(http.post('*/login/enrolment/confirm', () => refusal(status, detail)))
    await actor.type(code(), rightCode)
    const password = await screen.findByLabelText(/^Password/)
    await waitFor(() => expect(password).toHaveAccessibleDescription(detail))
  })

  test('a failure to begin it is a log-in error', async () => {
    const { actor, backend } = await renderApp({
      url: '/login',
      prepare: ({ factors }) => void (factors.step = { login, methods: [], enrol: true }),
    })
    backend.user = makeUser({ email: 'ada@example.com' })
    network.use(http.post('*/login/enrolment', () => refusal(409, 'SECRET_KEY is not set')))
    await actor.type(screen.getByLabelText(/^Email/), 'ada@example.com')
    await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
    await waitFor(() =>
      expect(screen.getByRole('alert')).toHaveTextContent(
        'Authenticator apps are not available here. Ask your administrator.',
      ),
    )
  })

  test('a session that ended in another tab leads back to the password', async () => {
    const { actor } = await enrol()
    await actor.type(code(), rightCode)
    await actor.click(await screen.findByRole('checkbox'))
    localStorage.clear()
    await actor.click(screen.getByRole('button', { name: 'Done' }))
    expect(await screen.findByLabelText(/^Password/)).toBeInTheDocument()
  })
})
