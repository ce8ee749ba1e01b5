import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import type { UserEvent } from '@testing-library/user-event'
import { describe, expect, test } from 'vitest'
import { http, HttpResponse } from 'msw'
import { choiceText } from '@/lib/text'
import { firstOfDay } from '@/lib/local-day'
import type { ResourceTag } from '@/lib/resources'
import { type Backend, makeUser, refusal } from './backend'
import { chooseValues } from './choose-values'
import { transferOf } from './files'
import { fillInput } from './fill-input'
import { holdRequests, network, requestsTo } from './network'
import { endSessionElsewhere, expectRow, expectToast, renderApp } from './render-app'
import { linkedRow, makeRow, otherLinkedRow, sampleOfTable } from './samples'
import { screenOf } from './screen-sample'

const user = makeUser()

/** Also matches the asterisk of required fields. */
const fieldName = (label: string) => new RegExp(`^${label}( \\*)?$`)

export function testScreen(table: ResourceTag): void {
  const { path, title, noun, Noun, fields, filters, files, linked, body } = screenOf(table)
  const [name] = fields
  const [nameOfRow] = sampleOfTable(table).searched
  const url = path

  const rowsOf = (backend: Backend, resource: string = table) => backend.rowsOf(resource)

  function addLinked(backend: Backend, added = linkedRow): void {
    for (const { name: nameField, to } of linked) {
      const rows = rowsOf(backend, to)
      if (rows.every(({ id }) => id !== added.id)) rows.push(makeRow(to, { id: added.id, [nameField]: added.name }))
    }
  }

  function prepare(backend: Backend): void {
    addLinked(backend)
    rowsOf(backend).push(makeRow(table, { [nameOfRow]: 'Old' }))
  }

  async function fillIn(app: Awaited<ReturnType<typeof renderApp>>): Promise<void> {
    await typeIn(app)
    await app.actor.click(screen.getByRole('button', { name: 'Save' }))
  }

  async function typeIn(app: Pick<Awaited<ReturnType<typeof renderApp>>, 'actor'>): Promise<void> {
    const dialog = within(screen.getByRole('dialog'))
    for (const { label, text } of fields) {
      await fillInput(app.actor, dialog.getByLabelText(fieldName(label)), text)
    }
  }

  async function openEdit(actor: UserEvent, named: string) {
    await actor.click(await screen.findByRole('button', { name: `Actions for ${named}` }))
    await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
    return within(await screen.findByRole('dialog', { name: `Edit ${Noun}` }))
  }

  const row = Object.fromEntries(fields.map(({ label, shown }) => [label, shown]))

  describe(`the page ${path}`, () => {
    test('shows that the list is empty, and adds the first row, after which the heading has the focus', async () => {
      const app = await renderApp({ url, user, prepare: addLinked })
      expect(await screen.findByRole('heading', { name: `No ${title.toLowerCase()}` })).toBeInTheDocument()
      expect(document.title).toBe(`${title} - Steward`)
      await app.actor.click(screen.getByRole('button', { name: `Add ${Noun}` }))
      const dialog = await screen.findByRole('dialog', { name: `Add ${Noun}` })
      expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled()
      await fillIn(app)
      await expectToast(`${Noun} created successfully.`, 'success')
      await waitFor(() => expectRow(row))
      expect(requestsTo(`POST ${path}/`).map((request) => request.body)).toEqual([body])
      // The button that opened the dialog is gone.
      expect(screen.getByRole('heading', { level: 1, name: title })).toHaveFocus()
    })

    test('edits a row', async () => {
      const app = await renderApp({ url, user, prepare })
      await app.actor.click(await screen.findByRole('button', { name: 'Actions for Old' }))
      await app.actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
      const dialog = await screen.findByRole('dialog', { name: `Edit ${Noun}` })
      expect(within(dialog).getByRole('button', { name: 'Save' })).toBeDisabled()
      await fillIn(app)
      await expectToast(`${Noun} updated successfully.`, 'success')
      await waitFor(() => expectRow(row))
    })

    test('brings what was typed back after the session has ended and the page was loaded anew', async () => {
      const before = await renderApp({ url: `${path}?add`, user, prepare: addLinked })
      await screen.findByRole('dialog', { name: `Add ${Noun}` })
      await typeIn(before)
      await endSessionElsewhere()
      cleanup()

      const { actor } = await renderApp({ url: '/', user, prepare: addLinked })
      await actor.click(await screen.findByRole('button', { name: 'Restore' }))
      const dialog = within(await screen.findByRole('dialog', { name: `Add ${Noun}` }))
      for (const { label, text } of fields)
        await waitFor(() => {
          const { checked, value } = dialog.getByLabelText<HTMLInputElement>(fieldName(label))
          expect([label, text === true ? checked : value]).toEqual([label, text])
        })
      await actor.click(dialog.getByRole('button', { name: 'Save' }))
      await expectToast(`${Noun} created successfully.`, 'success')
      expect(requestsTo(`POST ${path}/`).map((request) => request.body)).toEqual([body])
    })

    test('says what was saved elsewhere meanwhile, and keeps what was typed', async () => {
      const { actor, backend } = await renderApp({
        url,
        user,
        prepare: (prepared) => {
          addLinked(prepared, otherLinkedRow)
          prepare(prepared)
        },
      })
      const dialog = await openEdit(actor, 'Old')
      const typed: [HTMLInputElement, string][] = []
      for (const { label } of fields) {
        const input = dialog.getByLabelText<HTMLInputElement>(fieldName(label))
        const isTime = input.type === 'datetime-local'
        const isLink = input.role === 'combobox'
        if (label !== name.label && !isTime && !isLink) continue
        const text = isTime ? '2027-03-04T05:06' : isLink ? otherLinkedRow.name : 'Mine'
        await fillInput(actor, input, text)
        typed.push([input, text])
      }
      Object.assign(rowsOf(backend)[0] ?? {}, body)
      await actor.click(dialog.getByRole('button', { name: 'Save' }))
      const heading = await screen.findByText('Changed meanwhile')
      const notice = within(heading.closest<HTMLElement>('[role=alert]') ?? heading)
      const said = notice.getAllByRole('term').map((term) => [term.textContent, term.nextElementSibling?.textContent])
      expect(Object.fromEntries(said)).toEqual(row)
      expect(typed.map(([input]) => input.value)).toEqual(typed.map(([, text]) => text))
      await actor.click(notice.getByRole('button', { name: 'Save my changes' }))
      await expectToast(`${Noun} updated successfully.`, 'success')
      const links = Object.fromEntries(linked.map(({ field }) => [field, otherLinkedRow.id]))
      expect(rowsOf(backend)[0]).toMatchObject(links)
    })

    test.each(filters)('can be filtered by $label', async ({ name: filter, label, value, isRange, isTime }) => {
      const { actor, router } = await renderApp({ url, user, prepare })
      await screen.findByRole('link', { name: 'Old' })
      // Lists with many filters have them in a sheet.
      if (!screen.queryByLabelText(label, { selector: 'select, button' }))
        await actor.click(screen.getByRole('button', { name: 'Filters' }))
      const control = await screen.findByLabelText(label, { selector: 'select, button' })
      if (control instanceof HTMLSelectElement) await actor.selectOptions(control, isRange ? 'range' : value)
      else await chooseValues(actor, label, choiceText(value))
      if (isRange) {
        const from = await screen.findByLabelText('From')
        fireEvent.change(from, { target: { value } })
        fireEvent.blur(from)
      }
      const asked = isTime ? firstOfDay(value) : value
      await waitFor(() => expect(router.state.location.search).toEqual({ [filter]: asked }))
      const query = new URLSearchParams({ [filter]: asked })
      await waitFor(() => expect(requestsTo(`GET ${path}/`).at(-1)?.query).toContain(String(query)))
    })

    test.each(files)('sends a file as $label, keeps what was typed if that fails, and shows it', async (field) => {
      const { actor } = await renderApp({ url: `${path}?add`, user, prepare: addLinked })
      const dialog = await screen.findByRole('dialog', { name: `Add ${Noun}` })
      await typeIn({ actor })
      const first = within(dialog).getByLabelText(fieldName(name.label))
      await actor.clear(first)
      await actor.type(first, 'New')
      const input = within(dialog).getByLabelText(field.label)
      const chosen = new File(['text'], 'notes.txt')
      network.use(http.post('*/files', () => refusal(413, 'A file may have at most 25 MB'), { once: true }))
      await actor.upload(input, chosen)
      expect(await within(dialog).findByText('A file may have at most 25 MB')).toBeInTheDocument()
      const release = holdRequests('post', '*/files')
      fireEvent.drop(input, { dataTransfer: transferOf(chosen) })
      const save = within(dialog).getByRole('button', { name: 'Save' })
      expect(await within(dialog).findByRole('progressbar', { name: 'Sending' })).toBeInTheDocument()
      expect(save).toBeDisabled()
      await actor.click(within(dialog).getByRole('button', { name: `Stop ${field.label}` }))
      expect(save).toBeEnabled()
      release()
      fireEvent.paste(input, { clipboardData: transferOf(chosen) })
      expect(await within(dialog).findByRole('button', { name: 'notes.txt' })).toBeInTheDocument()
      await actor.click(save)
      await expectToast(`${Noun} created successfully.`, 'success')
      expect(await screen.findByRole('button', { name: 'notes.txt' })).toBeInTheDocument()
      const sent = requestsTo(`POST ${path}/`).at(-1)?.body
      expect(sent).toMatchObject({ [field.name]: { id: expect.any(String) } })
      expect(sent).not.toMatchObject({ [field.name]: { name: 'notes.txt' } })

      const edit = await openEdit(actor, 'New')
      await actor.click(await edit.findByRole('button', { name: `Remove ${field.label}` }))
      await actor.click(edit.getByRole('button', { name: 'Save' }))
      await expectToast(`${Noun} updated successfully.`, 'success')
      await waitFor(() => expect(screen.queryByRole('button', { name: 'notes.txt' })).not.toBeInTheDocument())
    })

    test('deletes the selected rows with one request', async () => {
      const { actor } = await renderApp({ url, user, prepare })
      await actor.click(await screen.findByRole('checkbox', { name: 'Select Old' }))
      const bar = within(await screen.findByRole('region', { name: `Selected ${title.toLowerCase()}` }))
      await actor.click(bar.getByRole('button', { name: 'Delete' }))
      await actor.click(await screen.findByRole('button', { name: `Delete 1 ${noun}` }))
      await expectToast(`1 ${noun} was deleted.`, 'success')
      expect(requestsTo(`POST ${path}/bulk`).map((request) => request.body)).toEqual([
        { action: 'delete', ids: [expect.any(String)] },
      ])
      expect(await screen.findByRole('heading', { name: `No ${title.toLowerCase()}` })).toBeInTheDocument()
    })

    test.each([
      ['a later change', -90_000, /^Created 1 hour ago, edited 1 minute ago$/],
      ['no change since', -3_700_000, /^Created 1 hour ago$/],
    ])('says in its form when a row was created, and %s', async (_, editedAt, text) => {
      const now = Date.now()
      const { actor, backend } = await renderApp({ url, user, prepare })
      const stored = { ...rowsOf(backend)[0], created_at: new Date(now - 3_700_000).toISOString() }
      const headers = { 'last-modified': new Date(now + editedAt).toUTCString() }
      network.use(http.get(`*${path}/:id`, () => HttpResponse.json(stored, { headers })))
      const dialog = await openEdit(actor, 'Old')
      await waitFor(() => expect(dialog.getByText(/^Created/)).toHaveTextContent(text))
    })

    test('a superuser sees whose a row is', async () => {
      const superuser = makeUser({ email: 'root@example.com', is_superuser: true })
      const { actor } = await renderApp({
        url,
        user: superuser,
        prepare: (backend) => {
          prepare(backend)
          backend.users.push(superuser)
        },
      })
      const dialog = await openEdit(actor, 'Old')
      expect(dialog.getByText(/^Created/)).toBeInTheDocument()
    })

    test(`requires a ${name.label.toLowerCase()}`, async () => {
      const { actor } = await renderApp({ url: `${path}?add`, user })
      await actor.click(await screen.findByLabelText(fieldName(name.label)))
      await actor.tab()
      expect(await screen.findByText(new RegExp(`^${name.label} is required\\.?$`))).toBeInTheDocument()
    })

    test('deletes a row after a warning, in which Cancel has the focus', async () => {
      const { actor } = await renderApp({ url, user, prepare })
      await actor.click(await screen.findByRole('button', { name: 'Actions for Old' }))
      await actor.click(await screen.findByRole('menuitem', { name: 'Delete' }))
      const dialog = await screen.findByRole('dialog', { name: `Delete ${Noun}` })
      expect(dialog).toHaveAccessibleDescription(/permanently deleted.*cannot be undone/)
      expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus()
      await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
      await expectToast(`The ${noun} was deleted successfully`, 'success')
      expect(await screen.findByRole('heading', { name: `No ${title.toLowerCase()}` })).toBeInTheDocument()
    })
  })
}
