// The rules are in docs/decisions/0023-created-once.md.
import { screen, waitFor, within } from '@testing-library/react'
import { getResponse, http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { fillInput } from '../../support/fill-input'
import { network, requestsTo } from '../../support/network'
import { expectRow, expectToast, renderApp } from '../../support/render-app'
import { anyResource } from '../../support/samples'
import { screenOf } from '../../support/screen-sample'

const user = makeUser()
type App = Awaited<ReturnType<typeof renderApp>>

describe.each(anyResource)('a form of a new $noun', (sample) => {
  const {
    table,
    fields,
    searched: [name],
  } = sample
  const { path: url, Noun } = screenOf(table)
  const created = `${Noun} created successfully.`
  const labelOf = (field: string) => fields.find((one) => one.name === field)?.label ?? ''
  const optional = fields.find(({ kind, isNullable }) => kind === 'text' && isNullable)

  async function openForm({ actor }: App) {
    await actor.click(await screen.findByRole('button', { name: `Add ${Noun}` }))
    const dialog = await screen.findByRole('dialog', { name: `Add ${Noun}` })
    for (const field of fields.filter(({ isRequired, name: other }) => isRequired && other !== name))
      await fillInput(actor, within(dialog).getByLabelText(new RegExp(`^${field.label}`)), field.text)
    return {
      dialog,
      title: titleIn(dialog),
      save: within(dialog).getByRole('button', { name: 'Save' }),
    }
  }

  const titleIn = (dialog: HTMLElement) => within(dialog).getByLabelText(new RegExp(`^${labelOf(name)}`))

  function loseNextAnswer({ backend }: App): void {
    network.use(
      http.post(
        `*${url}/`,
        async ({ request }) => {
          await getResponse(backend.handlers, request)
          return HttpResponse.error()
        },
        { once: true },
      ),
    )
  }

  async function saveInVain(prepare?: (backend: Backend) => void) {
    const app = await renderApp({ url, user, ...(prepare && { prepare }) })
    const form = await openForm(app)
    await app.actor.type(form.title, 'Notes')
    loseNextAnswer(app)
    await app.actor.click(form.save)
    await expectToast('Something went wrong.', 'error')
    expect(form.title).toHaveValue('Notes')
    expect(app.backend.rowsOf(table)).toHaveLength(1)
    return { ...app, ...form }
  }

  const textsIn = (backend: Backend) =>
    backend.rowsOf(table).map((row) => [row[name], ...(optional ? [row[optional.name]] : [])])
  /** What `textsIn` answers for a row. */
  const texts = (title: string, text: string | null = null) => [title, ...(optional ? [text] : [])]
  const cells = (title: string, text?: string) => ({
    [labelOf(name)]: title,
    ...(optional && text !== undefined && { [optional.label]: text }),
  })
  const keysSent = () => requestsTo(`POST ${url}/`).map(({ idempotencyKey }) => idempotencyKey)

  describe('saving it again after its response was lost', () => {
    test('creates one row', async () => {
      const { actor, backend, dialog, save } = await saveInVain()
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await expectToast(created, 'success')
      await waitFor(() => expectRow(cells('Notes')))
      expect(textsIn(backend)).toEqual([texts('Notes')])
      const [first, second] = keysSent()
      expect(first).toMatch(/^"\d+(?:-\d+){3}"$/)
      expect(second).toBe(first)
      expect(requestsTo(`PUT ${url}/${backend.rowsOf(table)[0]?.id}`)).toEqual([])
    })

    test('creates one row with the latest text if the text has changed', async () => {
      const { actor, backend, dialog, title, save } = await saveInVain()
      await actor.type(title, ' of Ada')
      if (optional) await actor.type(within(dialog).getByLabelText(optional.label), 'Said later')
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await expectToast(created, 'success')
      await waitFor(() => expectRow(cells('Notes of Ada', 'Said later')))
      expect(textsIn(backend)).toEqual([texts('Notes of Ada', 'Said later')])
      const [change] = requestsTo(`PUT ${url}/${backend.rowsOf(table)[0]?.id}`)
      expect(change?.ifMatch).toContain('Notes')
    })

    test('does not overwrite a concurrent change', async () => {
      const { actor, backend, dialog, save } = await saveInVain()
      Object.assign(backend.rowsOf(table)[0] ?? {}, { [name]: 'Changed elsewhere' })
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      await waitFor(() => expectRow(cells('Changed elsewhere')))
      expect(textsIn(backend)).toEqual([texts('Changed elsewhere')])
    })

    test('with changed text after a concurrent change shows an error, and then creates another row', async () => {
      const { actor, backend, dialog, title, save } = await saveInVain()
      Object.assign(backend.rowsOf(table)[0] ?? {}, { [name]: 'Changed elsewhere' })
      await actor.type(title, ' of Ada')
      await actor.click(save)
      await expectToast(
        'This was saved before, and someone has changed it since. Save again to add what you typed as another one.',
        'error',
      )
      expect(title).toHaveValue('Notes of Ada')
      await actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
      expect(textsIn(backend)).toEqual([texts('Notes of Ada'), texts('Changed elsewhere')])
    })

    test('creates one row even after the session ended and the restored draft was changed', async () => {
      const { actor, backend, save } = await saveInVain()
      network.use(http.post(`*${url}/`, () => refusal(401, 'Could not validate credentials'), { once: true }))
      await actor.click(save)
      await screen.findByRole('heading', { name: 'Login to your account' })
      await actor.type(screen.getByLabelText(/^Email/), user.email)
      await actor.type(screen.getByLabelText(/^Password/), `${backend.password}{Enter}`)
      await actor.click(await screen.findByRole('button', { name: 'Restore' }))
      const dialog = await screen.findByRole('dialog', { name: `Add ${Noun}` })
      await waitFor(() => expect(titleIn(dialog)).toHaveValue('Notes'))
      await actor.type(titleIn(dialog), '!')
      await actor.click(within(dialog).getByRole('button', { name: 'Save' }))
      await waitFor(() => expectRow(cells('Notes!')))
      expect(textsIn(backend)).toEqual([texts('Notes!')])
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
      await expectToast(created, 'success')
      expect(textsIn(backend)).toEqual([texts('Notes!'), texts('Notes')])
    })
  })

  test('each opened form creates its own row', async () => {
    const app = await renderApp({ url, user })
    for (const text of ['Same', 'Same']) {
      const { dialog, title, save } = await openForm(app)
      await app.actor.type(title, text)
      await app.actor.click(save)
      await waitFor(() => expect(dialog).not.toBeInTheDocument())
    }
    expect(textsIn(app.backend)).toHaveLength(2)
    expect(new Set(keysSent()).size).toBe(2)
  })
})

test('a form of a new account keeps what was typed if its response is lost, and is saved again', async () => {
  const root = makeUser({ email: 'root@example.com', is_superuser: true })
  const { actor } = await renderApp({ url: '/users?add', user: root })
  const dialog = within(await screen.findByRole('dialog', { name: 'Add User' }))
  await actor.type(dialog.getByLabelText(/^Email/), 'grace@example.com')
  await actor.type(dialog.getByLabelText(/^Password/), 'correct horse')
  await actor.type(dialog.getByLabelText(/^Confirm Password/), 'correct horse')
  network.use(http.post('*/users/', () => HttpResponse.error(), { once: true }))
  await actor.click(dialog.getByRole('button', { name: 'Save' }))
  await expectToast('Something went wrong.', 'error')
  expect(dialog.getByLabelText(/^Email/)).toHaveValue('grace@example.com')
  await actor.click(dialog.getByRole('button', { name: 'Save' }))
  await waitFor(() => expectRow({ Email: 'grace@example.com' }))
})
