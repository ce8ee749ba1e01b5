// A proxy or the log-in page of a network may answer in place of the API.
import { screen, waitFor, within } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { makeUser } from '../../support/backend'
import { withItem } from '../../support/items/rows'
import { addItem, editItem } from '../../support/items/screens'
import { expectConsoleError } from '../../support/console'
import { network } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const html = '<!doctype html><title>Free Wi-Fi</title><form method="post"><input name="code"></form>'
const answers = {
  'a page': () => HttpResponse.html(html),
  'a page as JSON': () => new HttpResponse(html, { headers: { 'content-type': 'application/json' } }),
  'an empty body': () =>
    new HttpResponse('', { headers: { 'content-type': 'application/json', 'content-length': '0' } }),
  'an empty body of unknown length': () => new HttpResponse('', { headers: { 'content-type': 'application/json' } }),
  'no content': () => new HttpResponse(null, { status: 204 }),
  'JSON of another service': () => HttpResponse.json({ status: 'ok', success: true }),
  null: () => HttpResponse.json(null),
}
type Answer = keyof typeof answers

const words = 'The answer did not come from Steward.'
const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace Hopper' })
const password = 'a long password'
const member = makeUser()
const superuser = makeUser({ is_superuser: true })

interface Journey {
  url: string
  user?: ReturnType<typeof makeUser>
  fields?: Record<string, string>
  button: string
  /** The text that would claim success. */
  success: string | RegExp
}

const journeys: Record<string, Journey> = {
  'sign up': {
    url: '/signup',
    fields: { 'Full Name': 'Ada', Email: 'ada@example.com', Password: password, 'Confirm Password': password },
    button: 'Sign Up',
    success: 'Account created. Log in to continue.',
  },
  'recover a password': {
    url: '/recover-password',
    fields: { Email: 'ada@example.com' },
    button: 'Continue',
    success: 'Password recovery email sent successfully.',
  },
  'reset a password': {
    url: '/reset-password?token=x',
    fields: { 'New Password': password, 'Confirm Password': password },
    button: 'Reset Password',
    success: 'Password updated successfully.',
  },
  'accept an invitation': {
    url: '/accept-invitation?token=x',
    fields: { 'New Password': password, 'Confirm Password': password },
    button: 'Set Password',
    success: 'Your password is set.',
  },
  'change the profile': {
    url: '/settings',
    user: member,
    fields: { 'Full Name': 'Countess' },
    button: 'Save',
    success: 'User updated successfully.',
  },
  'change the password': {
    url: '/settings?tab=password',
    user: member,
    fields: { 'Current Password': password, 'New Password': `${password}!`, 'Confirm Password': `${password}!` },
    button: 'Save',
    success: 'Password updated successfully.',
  },
  'delete the account': {
    url: '/settings?tab=dangerzone&delete',
    user: member,
    button: 'Delete',
    success: 'Your account has been successfully deleted',
  },
  'add an item': addItem,
  'edit an item': editItem,
  'add a user': {
    url: '/users?add',
    user: superuser,
    fields: { Email: 'new@example.com', Password: password, 'Confirm Password': password },
    button: 'Save',
    success: 'User created successfully.',
  },
  'edit a user': {
    url: `/users?edit=${grace.id}`,
    user: superuser,
    fields: { 'Full Name': 'Admiral' },
    button: 'Save',
    success: 'User updated successfully.',
  },
}

async function openAndFill({ url, user, fields = {} }: Omit<Journey, 'button' | 'success'>) {
  const app = await renderApp({
    url,
    ...(user && { user }),
    prepare: (backend) => {
      withItem(backend)
      backend.users = [grace]
    },
  })
  const area = /[?&](add|edit|delete)/.test(url) ? 'dialog' : 'main'
  const form = within(await screen.findByRole(area))
  for (const [label, text] of Object.entries(fields)) {
    const input = await form.findByLabelText(new RegExp(`^${label}`))
    await app.actor.clear(input)
    await app.actor.type(input, text)
  }
  return { ...app, form }
}

/** @returns a function that makes the API answer again */
function answerAllBy(answer: Answer): () => void {
  const handlers = network.listHandlers()
  network.use(http.all('*/api/v1/*', () => answers[answer]()))
  return () => network.resetHandlers(...handlers)
}

async function expectError(journey: Journey, answer: Answer) {
  const { actor, form, router } = await openAndFill(journey)
  const before = router.state.location.href
  const token = localStorage.getItem('access_token')
  const letAnswer = answerAllBy(answer)
  await actor.click(form.getByRole('button', { name: journey.button }))
  await expectToast(words, 'error')
  for (const [label, text] of Object.entries(journey.fields ?? {}))
    expect(form.getByLabelText(new RegExp(`^${label}`))).toHaveValue(text)
  expect(router.state.location.href).toBe(before)
  expect(localStorage.getItem('access_token')).toBe(token)
  expect(screen.queryByText(journey.success)).not.toBeInTheDocument()
  return { actor, form, letAnswer }
}

describe.each(Object.keys(answers) as Answer[])('%s with a status of success', (answer) => {
  test('an error, and nothing is lost: what was typed can be saved afterwards', async () => {
    const { actor, form, letAnswer } = await expectError(journeys['add a user'] as Journey, answer)
    letAnswer()
    await actor.click(form.getByRole('button', { name: 'Save' }))
    await expectToast('User created successfully.')
    expect(await screen.findByText('new@example.com')).toBeInTheDocument()
  })

  test('a log-in stores no token', async () => {
    const { actor, backend, form } = await openAndFill({
      url: '/login',
      fields: { Email: member.email, Password: password },
    })
    const letAnswer = answerAllBy(answer)
    await actor.click(form.getByRole('button', { name: 'Login' }))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(words))
    expect(localStorage.getItem('access_token')).toBeNull()
    expect(form.getByLabelText(/^Password/)).toHaveValue(password)
    letAnswer()
    backend.user = member
    backend.password = password
    await actor.click(form.getByRole('button', { name: 'Login' }))
    expect(await screen.findByRole('heading', { name: /^Hi, / })).toBeInTheDocument()
  })
})

describe.each(['a page', 'an empty body'] as const)('%s with a status of success', (answer) => {
  test.each(Object.entries(journeys))(
    '%s: an error, and nothing is lost',
    async (_, journey) => void (await expectError(journey, answer)),
  )

  test('a deletion keeps its dialog', async () => {
    const { actor, form } = await openAndFill({ url: `/users?delete=${grace.id}`, user: superuser })
    answerAllBy(answer)
    await actor.click(form.getByRole('button', { name: 'Delete' }))
    await expectToast('An error occurred while deleting the user', 'error')
    expect(screen.getByRole('dialog')).toBeInTheDocument()
    expect(screen.getByRole('link', { name: 'Grace Hopper', hidden: true })).toBeInTheDocument()
  })

  test('the preview of an import shows it at the text', async () => {
    const { actor } = await openAndFill({ url: '/users', user: superuser })
    await actor.click(await screen.findByRole('button', { name: 'Import CSV' }))
    const dialog = within(await screen.findByRole('dialog'))
    await actor.type(dialog.getByLabelText(/^File content/), 'email{Enter}new@example.com')
    answerAllBy(answer)
    await actor.click(dialog.getByRole('button', { name: 'Preview' }))
    expect(await dialog.findByText(words, { exact: false })).toBeInTheDocument()
    expect(dialog.getByLabelText(/^File content/)).toHaveValue('email\nnew@example.com')
  })

  test('a list shows the error panel, and is there after Try again', async () => {
    const list = http.get('*/users/', () => answers[answer]())
    const { actor } = await renderApp({
      url: '/users',
      user: superuser,
      prepare: (backend) => {
        backend.users = [grace]
        network.use(list)
      },
    })
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    network.resetHandlers(...network.listHandlers().filter((handler) => handler !== list))
    await actor.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByText('Grace Hopper')).toBeInTheDocument()
  })

  test('an account that cannot be read shows the error panel, and the session stays', async () => {
    expectConsoleError(/ForeignAnswer|Error in route match/)
    let letAnswer: (() => void) | undefined
    const { actor } = await renderApp({ url: '/', user: member, prepare: () => void (letAnswer = answerAllBy(answer)) })
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    expect(localStorage.getItem('access_token')).not.toBeNull()
    letAnswer?.()
    await actor.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('heading', { name: /^Hi, / })).toBeInTheDocument()
  })

  test('an export saves no file', async () => {
    const saved = vi.spyOn(HTMLAnchorElement.prototype, 'click')
    const { actor } = await openAndFill({ url: '/users', user: superuser })
    const button = await screen.findByRole('button', { name: 'Export CSV' })
    answerAllBy(answer)
    await actor.click(button)
    await expectToast(words, 'error')
    expect(saved).not.toHaveBeenCalled()
  })
})

describe.each([401, 403])('a page of a firewall with the status %i', (status) => {
  const refuse = () => HttpResponse.html(html, { status })

  test.each(Object.keys(journeys).filter((name) => /^(add|edit) /.test(name)))(
    '%s: an error, and nothing is lost',
    async (name) => {
      const journey = journeys[name] as Journey
      const { actor, form, router } = await openAndFill(journey)
      const before = router.state.location.href
      network.use(http.all('*/api/v1/*', refuse))
      await actor.click(form.getByRole('button', { name: journey.button }))
      await expectToast(words, 'error')
      for (const [label, text] of Object.entries(journey.fields ?? {}))
        expect(form.getByLabelText(new RegExp(`^${label}`))).toHaveValue(text)
      expect(router.state.location.href).toBe(before)
      expect(localStorage.getItem('access_token')).not.toBeNull()
    },
  )

  test('a list shows the error panel, with the status', async () => {
    const { actor, router } = await renderApp({
      url: '/users',
      user: superuser,
      prepare: () => network.use(http.get('*/users/', refuse)),
    })
    expect(await screen.findByRole('alert')).toHaveTextContent(words)
    await actor.click(screen.getByRole('button', { name: 'Show Error' }))
    expect(screen.getByRole('alert')).toHaveTextContent(`Status: ${status}`)
    expect(router.state.location.href).toBe('/users')
    expect(localStorage.getItem('access_token')).not.toBeNull()
  })

  test('a log-in says so under the form', async () => {
    const { actor, form } = await openAndFill({
      url: '/login',
      fields: { Email: 'ada@example.com', Password: password },
    })
    network.use(http.all('*/api/v1/*', refuse))
    await actor.click(form.getByRole('button', { name: 'Login' }))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent(words))
  })

  test.each<[string, () => Response]>([
    ['JSON', () => HttpResponse.json({ detail: 'Not authenticated' }, { status })],
    ['JSON of another service', () => HttpResponse.json({ error: 'token' }, { status })],
    ['text', () => HttpResponse.text('no', { status })],
    ['no body', () => new HttpResponse(null, { status })],
  ])('SPEC 4: with %s instead of a page, it ends the session', async (_, answer) => {
    const { actor, form, router } = await openAndFill(journeys['add a user'] as Journey)
    network.use(http.post('*/users/', answer))
    await actor.click(form.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(router.state.location.pathname).toBe('/login'))
    expect(localStorage.getItem('access_token')).toBeNull()
  })
})

describe('a page of a proxy with an error status', () => {
  const badGateway = () => network.use(http.all('*/api/v1/*', () => new HttpResponse(html, { status: 502 })))

  test('says at log-in what the server answered', async () => {
    const { actor, form } = await openAndFill({
      url: '/login',
      fields: { Email: 'ada@example.com', Password: password },
    })
    badGateway()
    await actor.click(form.getByRole('button', { name: 'Login' }))
    await waitFor(() => expect(screen.getByRole('alert')).toHaveTextContent('The server answered “Bad Gateway”.'))
  })

  test('says so in the toast of a save', async () => {
    const { actor, form } = await openAndFill(journeys['add a user'] as Journey)
    badGateway()
    await actor.click(form.getByRole('button', { name: 'Save' }))
    await expectToast('Something went wrong.', 'error')
    expect(screen.getByText('The server answered “Bad Gateway”.')).toBeInTheDocument()
    expect(form.getByLabelText(/^Email/)).toHaveValue('new@example.com')
  })
})
