// The rules are in docs/decisions/0023-created-once.md.
import { screen, waitFor, within } from '@testing-library/react'
import { getResponse, http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'

const user = makeUser()
type App = Awaited<ReturnType<typeof renderApp>>

async function openForm({ actor }: App) {
  await actor.click(await screen.findByRole('button', { name: 'Add Item' }))
  const dialog = await screen.findByRole('dialog', { name: 'Add Item' })
  return {
    dialog,
    title: within(dialog).getByLabelText(/^Title/),
    save: within(dialog).getByRole('button', { name: 'Save' }),
  }
}

function loseNextAnswer({ backend }: App): void {
  network.use(
    http.post(
      '*/items/',
      async ({ request }) => {
        await getResponse(backend.handlers, request)
        return HttpResponse.error()
      },
      { once: true },
    ),
  )
}

async function saveInVain(prepare?: (backend: Backend) => void) {
  const app = await renderApp({ url: '/items', user, ...(prepare && { prepare }) })
  const form = await openForm(app)
  await app.actor.type(form.title, 'Notes')
  loseNextAnswer(app)
  await app.actor.click(form.save)
  await expectToast('Something went wrong.', 'error')
  expect(form.title).toHaveValue('Notes')
  expect(app.backend.items).toHaveLength(1)
  return { ...app, ...form }
}

const rowsOf = (backend: Backend) => backend.items.map(({ title, description }) => [title, description])
const keysSent = () => requestsTo('POST /items/').map(({ idempotencyKey }) => idempotencyKey)

describe('saving a new item again after its response was lost', () => {
  test('creates one row', async () => {
    const { actor, backend, dialog, save } = await saveInVain()
    await actor.click(save)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await expectToast('Item created successfully.', 'success')
    await waitFor(() => expectRow({ Title: 'Notes', Description: 'N/A' }))
    expect(rowsOf(backend)).toEqual([['Notes', null]])
    const [first, second] = keysSent()
    expect(first).toMatch(/^"\d+(?:-\d+){3}"$/)
    expect(second).toBe(first)
    expect(requestsTo(`PUT /items/${backend.items[0]?.id}`)).toEqual([])
  })

  test('creates one row with the latest text if the text has changed', async () => {
    const { actor, backend, dialog, title, save } = await saveInVain()
    await actor.type(title, ' of Ada')
    await actor.type(within(dialog).getByLabelText('Description'), 'Said later')
    await actor.click(save)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await expectToast('Item created successfully.', 'success')
    await waitFor(() => expectRow({ Title: 'Notes of Ada', Description: 'Said later' }))
    expect(rowsOf(backend)).toEqual([['Notes of Ada', 'Said later']])
    const [change] = requestsTo(`PUT /items/${backend.items[0]?.id}`)
    expect(change?.ifMatch).toContain('Notes')
  })

  test('does not overwrite a concurrent change', async () => {
    const { actor, backend, dialog, save } = await saveInVain()
    const [item] = backend.items
    if (item) item.title = 'Changed elsewhere'
    await actor.click(save)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await waitFor(() => expectRow({ Title: 'Changed elsewhere' }))
    expect(rowsOf(backend)).toEqual([['Changed elsewhere', null]])
  })

  test('with changed text after a concurrent change shows an error, and then creates another row', async () => {
    const { actor, backend, dialog, title, save } = await saveInVain()
    const [item] = backend.items
    if (item) item.title = 'Changed elsewhere'
    await actor.type(title, ' of Ada')
    await actor.click(save)
    await expectToast(
      'This was saved before, and someone has changed it since. Save again to add what you typed as another one.',
      'error',
    )
    expect(title).toHaveValue('Notes of Ada')
    await actor.click(save)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    expect(rowsOf(backend)).toEqual([
      ['Notes of Ada', null],
      ['Changed elsewhere', null],
    ])
  })

  test('creates one row even after the session ended and the restored draft was changed', async () => {
    const { actor, backend, save } = await saveInVain()
    network.use(http.post('*/items/', () => refusal(401, 'Could not validate credentials'), { once: true }))
    await actor.click(save)
    await screen.findByRole('heading', { name: 'Login to your account' })
    await actor.type(screen.getByLabelText(/^Email/), user.email)
    await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
    await actor.click(await screen.findByRole('button', { name: 'Restore' }))
    const dialog = await screen.findByRole('dialog', { name: 'Add Item' })
    await waitFor(() => expect(within(dialog).getByLabelText(/^Title/)).toHaveValue('Notes'))
    await actor.type(within(dialog).getByLabelText(/^Title/), '!')
    await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
    await waitFor(() => expectRow({ Title: 'Notes!' }))
    expect(rowsOf(backend)).toEqual([['Notes!', null]])
    expect(new Set(keysSent()).size).toBe(1)
  })

  test('creates a second row if the back end does not support keys', async () => {
    const { actor, backend, dialog, title, save } = await saveInVain((other) => {
      other.hasIdempotencyKeys = false
      other.hasVersions = false
    })
    await actor.type(title, '!')
    await actor.click(save)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
    await expectToast('Item created successfully.', 'success')
    expect(rowsOf(backend)).toEqual([
      ['Notes!', null],
      ['Notes', null],
    ])
  })
})

test('each opened form creates its own row', async () => {
  const app = await renderApp({ url: '/items', user })
  for (const name of ['Same', 'Same']) {
    const { dialog, title, save } = await openForm(app)
    await app.actor.type(title, name)
    await app.actor.click(save)
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
  }
  expect(rowsOf(app.backend)).toHaveLength(2)
  expect(new Set(keysSent()).size).toBe(2)
})
