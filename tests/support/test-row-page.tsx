import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, test } from 'vitest'
import { links, resources, type ResourceTag } from '@/lib/resources'
import { rowName } from '@/lib/row-name'
import { type Backend, makeUser } from './backend'
import { requestsTo } from './network'
import { makeEntry } from './people'
import { expectToast, renderApp } from './render-app'
import { linkedRow, makeRow, sampleOfTable } from './samples'
import { screenOf } from './screen-sample'

const user = makeUser()
const id = '44444444-4444-4444-8444-444444444444'

const valueOf = (label: string) => screen.getByText(label, { selector: 'dt' }).nextElementSibling

export function testRowPage(table: ResourceTag): void {
  const { path, title, noun, Noun, fields, linked, body } = screenOf(table)
  const [nameField] = sampleOfTable(table).searched
  const url = `${path}/${id}`
  const name = 'Old'
  const linking = links.filter(({ from, to }) => to === table && from !== table)

  function prepare(backend: Backend): void {
    for (const { name: shown, to } of linked)
      if (backend.rowsOf(to).length === 0)
        backend.rowsOf(to).push(makeRow(to, { id: linkedRow.id, [shown]: linkedRow.name }))
    backend.rowsOf(table).unshift(makeRow(table, { ...body, id, [nameField]: name }))
  }

  const heading = (text = name) => screen.findByRole('heading', { level: 1, name: text })

  describe(`the page of ${noun}`, () => {
    test('is where a press on a row or its name leads', async () => {
      for (const isName of [true, false]) {
        const { actor, router } = await renderApp({ url: path, user, prepare })
        const link = await screen.findByRole('link', { name })
        await actor.click(isName ? link : (link.closest('tr')?.lastElementChild ?? link))
        expect(await heading()).toHaveFocus()
        expect(router.state.location.pathname).toBe(url)
        cleanup()
      }
    })

    test('shows all fields', async () => {
      await renderApp({ url, user, prepare })
      await heading()
      expect(document.title).toBe(`${name} - Steward`)
      for (const { label, shown } of fields.slice(1)) expect(valueOf(label)).toHaveTextContent(shown)
      expect(screen.getByText(/^Created/)).toBeInTheDocument()
      const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem')
      expect(crumbs.map((crumb) => crumb.textContent)).toEqual(['Dashboard', title, name])
    })

    test('is no page if the row is missing', async () => {
      await renderApp({ url, user })
      expect(await screen.findByRole('heading', { name: 'Page not found' })).toBeInTheDocument()
    })

    test('edits the row', async () => {
      const { actor } = await renderApp({ url, user, prepare })
      await heading()
      await actor.click(screen.getByRole('button', { name: 'Edit' }))
      const dialog = within(await screen.findByRole('dialog', { name: `Edit ${Noun}` }))
      const [first] = dialog.getAllByRole('textbox')
      if (!first) throw new Error('The form has no field')
      await actor.clear(first)
      await actor.type(first, 'New')
      await actor.click(dialog.getByRole('button', { name: 'Save' }))
      await expectToast(`${Noun} updated successfully.`, 'success')
      expect(await heading('New')).toBeInTheDocument()
    })

    test('deletes the row, and leads to the list', async () => {
      const { actor, router } = await renderApp({ url, user, prepare })
      await heading()
      await actor.click(screen.getByRole('button', { name: 'Delete' }))
      const dialog = within(await screen.findByRole('dialog', { name: `Delete ${Noun}` }))
      await actor.click(dialog.getByRole('button', { name: 'Delete' }))
      await expectToast(`The ${noun} was deleted successfully`, 'success')
      await waitFor(() => expect(router.state.location.href).toBe(path))
    })

    test('shows superusers what was done to the row', async () => {
      const root = makeUser({ is_superuser: true })
      await renderApp({
        url,
        user: root,
        prepare: (backend) => {
          prepare(backend)
          backend.users.push(root)
          Object.assign(backend.rowsOf(table)[0] ?? {}, { owner_id: root.id })
          const subject = { id: root.id, email: root.email }
          backend.people.audit = [makeEntry({ action: `${noun}-create`, subject, details: { id, [nameField]: name } })]
        },
      })
      const history = within(await screen.findByRole('region', { name: 'History' }))
      expect(await history.findByRole('table', { name: 'History' })).toHaveTextContent(`${Noun} created: ${name}`)
      expect(requestsTo('GET /audit/').map(({ query }) => query)).toEqual([`?subject_id=${root.id}&q=${id}&limit=10`])
    })

    test('shows other users no history', async () => {
      await renderApp({ url, user, prepare })
      await heading()
      expect(screen.queryByRole('region', { name: 'History' })).not.toBeInTheDocument()
      expect(requestsTo('GET /audit/')).toEqual([])
    })

    for (const { from, field, onDelete } of linking) {
      const listed = resources.find(({ tag }) => tag === from)?.title ?? ''
      const isOnly = linking.filter((link) => link.from === from).length === 1
      const [otherName] = sampleOfTable(from).searched

      function prepareLinked(backend: Backend): void {
        prepare(backend)
        for (const text of ['First', 'Second'])
          backend.rowsOf(from).push(makeRow(from, { [field]: id, [otherName]: text }))
      }

      test(`lists the ${from} that link to it in ${field}`, async () => {
        const { backend } = await renderApp({ url, user, prepare: prepareLinked })
        const list = within(await screen.findByRole('region', { name: isOnly ? listed : new RegExp(`^${listed} \\(`) }))
        const rows = backend.rowsOf(from).filter((row) => row[field] === id)
        for (const row of rows) expect(await list.findByRole('link', { name: rowName(row) })).toBeInTheDocument()
      })

      test(`says before a deletion what happens to the ${from} that link to it in ${field}`, async () => {
        await renderApp({ url: `${url}?delete=${id}`, user, prepare: prepareLinked })
        const dialog = within(await screen.findByRole('dialog', { name: `Delete ${Noun}` }))
        const link = await dialog.findByRole('link', { name: `2 ${from}` })
        expect(link).toHaveAttribute('href', `/${from}?${field}=${id}`)
        const isDisabled = dialog.getByRole<HTMLButtonElement>('button', { name: 'Delete' }).disabled
        expect(isDisabled).toBe(onDelete === 'refuse')
      })
    }
  })
}
