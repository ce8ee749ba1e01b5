import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { capitalize } from '@/lib/text'
import { addDays, firstOfDay, lastOfDay, localDay } from '@/lib/local-day'
import { timeText } from '@/lib/time-text'
import { formerResources, resources } from '@/lib/resources'
import { type Backend, makeUser, never, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { makeEntry } from '../../support/people'
import { expectRow, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', is_superuser: true })
const id = '01890000-0000-7000-8000-00000000beef'
const grace = { id, email: 'grace@example.com' }
/** The words of former resources stay in the audit log, so that a product without resources has these. */
const [{ tag, noun }] = [...resources, ...formerResources] as [(typeof formerResources)[number]]
const Noun = capitalize(noun)
const self = { id: root.id, email: root.email }

async function open(url = '/audit', prepare?: (backend: Backend) => void) {
  const app = await renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(root, makeUser({ ...grace, full_name: 'Grace Hopper' }))
      backend.people.audit = [
        makeEntry({ action: 'role-change', actor: self, subject: grace, at: '2026-11-21T12:34:56.000Z' }),
        makeEntry({ result: 'wrong-password', subject: grace, address: '2001:db8::1' }),
        makeEntry({ action: 'account-delete', actor: self, subject: { id: crypto.randomUUID(), email: null } }),
        makeEntry({ action: 'coffee-make', address: 'server' }),
      ]
      prepare?.(backend)
    },
  })
  await screen.findByRole('heading', { name: 'Audit Log' })
  return { ...app, href: () => app.router.state.location.href }
}

const events = () =>
  Array.from(screen.getByRole<HTMLTableElement>('table').tBodies[0]?.rows ?? [], (row) => row.cells[1]?.textContent)
const shows = (...texts: string[]) => waitFor(() => expect(events()).toEqual(texts))

describe('/audit', () => {
  test('shows time, action, actor, subject and address', async () => {
    await open()
    await screen.findByRole('table', { name: 'Audit Log' })
    await expectRow({
      Time: timeText('2026-11-21T12:34:56.000Z'),
      Event: 'Role changed',
      Who: 'root@example.com',
      Whom: 'grace@example.com',
      'From where': '192.0.2.1',
    })
    await expectRow({ Event: 'Log-in failed: wrong password', Who: '—', 'From where': '2001:db8::1' })
    await expectRow({ Event: 'Account deleted', Whom: 'Deleted account' })
    await expectRow({ Event: 'coffee-make', Who: 'Server', 'From where': 'server' })
    expect(document.title).toBe('Audit Log - Steward')
    const crumbs = within(screen.getByRole('navigation', { name: 'Breadcrumb' })).getAllByRole('listitem')
    expect(crumbs.map((crumb) => crumb.textContent)).toEqual(['Dashboard', 'Audit Log'])
  })

  test('an entry tells its exact time when it is pressed', async () => {
    const { actor } = await open()
    const [event] = await screen.findAllByRole('button', { name: 'Role changed' })
    if (!event) throw new Error('No entry')
    const exact = /Nov 21, 2026, 12:34:56\sPM UTC$/
    expect(screen.queryByText(exact)).not.toBeInTheDocument()
    expect(screen.getByText(timeText('2026-11-21T12:34:56.000Z'))).toHaveAttribute(
      'title',
      expect.stringMatching(exact),
    )
    await actor.click(event)
    expect(event).toHaveAttribute('aria-expanded', 'true')
    expect(screen.getByText(exact)).toBeInTheDocument()
    await actor.click(event)
    expect(screen.queryByText(exact)).not.toBeInTheDocument()
  })

  test('is in the Admin group; a name links to the user’s page', async () => {
    const { actor, href } = await open()
    const admin = screen.getByRole('region', { name: 'Admin' })
    expect(within(admin).getByRole('link', { name: 'Audit Log' })).toHaveAttribute('aria-current', 'page')
    await actor.click((await screen.findAllByRole('link', { name: grace.email }))[0] ?? document.body)
    expect(await screen.findByRole('heading', { name: 'Grace Hopper' })).toHaveFocus()
    expect(href()).toBe(`/users/${id}`)
  })

  test('a regular user is redirected to the dashboard, and nothing is requested', async () => {
    const { router } = await renderApp({ url: '/audit', user: makeUser() })
    expect(await screen.findByRole('heading', { name: /^Hi/ })).toBeInTheDocument()
    expect(router.state.location.pathname).toBe('/')
    expect(requestsTo('GET /audit/')).toEqual([])
  })

  async function chooseOption({ actor }: Awaited<ReturnType<typeof open>>, option: string, text = '') {
    const box = screen.getByRole('combobox', { name: 'Find events, people or details' })
    await actor.click(box)
    if (text !== '') await actor.type(box, text)
    await actor.click(await screen.findByRole('option', { name: option }))
    expect(box).toHaveAttribute('aria-expanded', 'false')
  }

  test('can be filtered by event, and Back removes the filter', async () => {
    const app = await open()
    await screen.findByRole('table')
    await chooseOption(app, 'Role changed')
    await shows('Role changed')
    expect(app.href()).toBe('/audit?action=role-change')
    act(() => app.router.history.back())
    await waitFor(() => expect(events()).toHaveLength(4))
    expect(screen.queryByRole('button', { name: 'Show all events' })).not.toBeInTheDocument()
  })

  test('the events are grouped by what they are about, and found by words of their names and groups', async () => {
    const { actor } = await open()
    await screen.findByRole('table')
    const box = screen.getByRole('combobox', { name: 'Find events, people or details' })
    const groups = () => list.getAllByRole('group').map((group) => group.getAttribute('aria-labelledby') ?? '')
    const list = within(screen.getByRole('listbox', { hidden: true }))
    const options = () => list.queryAllByRole('option').map(({ textContent }) => textContent)
    expect(options()).toEqual([])
    await actor.click(box)
    expect(groups().map((label) => document.getElementById(label)?.textContent)).toEqual([
      'Result',
      'Log-ins and sessions',
      'API tokens',
      'Accounts',
      'Email addresses',
      'Passwords',
      'Passkeys, company accounts and two-step login',
      ...[...resources, ...formerResources].map(({ title }) => title),
      'Audit log',
      'Reason of a failure',
    ])
    await actor.keyboard('{Escape}')
    expect(options()).toEqual([])
    await actor.type(box, `${tag} del`)
    expect(options()).toEqual([`${Noun} deleted`, `Many ${tag} deleted`, `Details contain “${tag} del”`])
  })

  test('texts in the details are searched', async () => {
    const app = await open('/audit', (backend) => {
      backend.people.audit.unshift(makeEntry({ action: `${noun}-delete`, details: { id: 'x', title: 'Milk' } }))
    })
    await screen.findByRole('table')
    await chooseOption(app, 'Details contain “milk”', 'milk')
    await shows(`${Noun} deleted: Milk`)
    expect(app.href()).toBe('/audit?q=milk')
    await app.actor.click(screen.getByRole('button', { name: 'Show all details' }))
    await waitFor(() => expect(app.href()).toBe('/audit'))
  })

  test('can be filtered by result, of all events or of those of one kind', async () => {
    const app = await open()
    await screen.findByRole('table')
    await chooseOption(app, 'Failed: wrong password')
    await shows('Log-in failed: wrong password')
    expect(app.href()).toBe('/audit?result=wrong-password')
    await chooseOption(app, 'Log-in')
    expect(app.href()).toBe('/audit?action=log-in&result=wrong-password')
    await app.actor.click(screen.getByRole('combobox', { name: 'Find events, people or details' }))
    const failures = screen.getAllByRole('option', { name: /^Fail/ }).map(({ textContent }) => textContent)
    expect(failures).toEqual([
      'Failures only',
      'Failed: wrong password',
      'Failed: inactive account',
      'Failed: company account not connected',
      'Failed: invalid link',
    ])
    await chooseOption(app, 'Role changed')
    await shows('Role changed')
    expect(app.href()).toBe('/audit?action=role-change')
    await app.actor.click(screen.getByRole('combobox', { name: 'Find events, people or details' }))
    expect(screen.queryByRole('option', { name: /^Fail/ })).not.toBeInTheDocument()
  })

  test('can show failures only', async () => {
    const app = await open()
    await screen.findByRole('table')
    await chooseOption(app, 'Failures only')
    await shows('Log-in failed: wrong password')
    expect(app.href()).toBe('/audit?result=failed')
  })

  test('can show the last hours, which a link keeps relative; a day replaces them', async () => {
    const { actor, href } = await open('/audit', (backend) => {
      const at = new Date(Date.now() - 23 * 3_600_000).toISOString()
      backend.people.audit.unshift(makeEntry({ action: 'log-out', at }))
    })
    await screen.findByRole('table')
    await actor.selectOptions(screen.getByLabelText('Time'), 'Last 24 hours')
    await shows('Log-out')
    expect(href()).toBe('/audit?last=24h')
    const from = Date.parse(new URLSearchParams(requestsTo('GET /audit/')[1]?.query).get('from') ?? '')
    expect(Math.abs(Date.now() - 24 * 3_600_000 - from)).toBeLessThan(60_000)
    expect(screen.queryByLabelText('From')).not.toBeInTheDocument()
    await actor.selectOptions(screen.getByLabelText('Time'), 'From … to …')
    fireEvent.change(await screen.findByLabelText('From'), { target: { value: '2026-01-01' } })
    await waitFor(() => expect(href()).toBe('/audit?from=2026-01-01'))
    expect(screen.getByLabelText('Time')).toHaveDisplayValue('From … to …')
    await actor.selectOptions(screen.getByLabelText('Time'), 'Last 7 days')
    await waitFor(() => expect(href()).toBe('/audit?last=7d'))
  })

  test('says what an event is about, and below it what changed', async () => {
    await open('/audit', (backend) => {
      const changed = { full_name: { from: 'Berta', to: 'Bertha' }, is_active: { from: true, to: false } }
      backend.people.audit = [
        makeEntry({ action: 'account-change', details: changed }),
        makeEntry({ action: `${noun}-delete`, details: { id: 'x', title: 'Notes' } }),
        makeEntry({
          action: `${noun}-change`,
          details: { id: 'x', title: 'Printer', description: { from: 'old', to: 'new' } },
        }),
        makeEntry({ action: `${noun}-change`, details: { id: 'x', title: { from: 'Printer', to: 'Scanner' } } }),
      ]
    })
    await screen.findByRole('table')
    expect(events()).toEqual([
      'Account changedName: Berta →to BerthaDeactivated',
      `${Noun} deleted: Notes`,
      `${Noun} changed: PrinterDescription: old →to new`,
      `${Noun} changed: ScannerTitle: Printer →to Scanner`,
    ])
  })

  test('a person is found by name, and chosen with the keys', async () => {
    const { actor, href } = await open()
    await screen.findByRole('table')
    const box = screen.getByRole('combobox', { name: 'Find events, people or details' })
    expect(box).toHaveAttribute('aria-expanded', 'false')
    await actor.type(box, 'hopper')
    const options = await screen.findAllByRole('option', { name: /Grace Hopper/ })
    expect(options).toHaveLength(2)
    await actor.keyboard('{ArrowUp}{ArrowDown}')
    expect(box).toHaveAttribute('aria-activedescendant', options[0]?.id)
    await actor.keyboard('{ArrowDown}{Enter}')
    await shows('Role changed', 'Log-in failed: wrong password')
    expect(href()).toBe(`/audit?subject_id=${id}`)
    expect(requestsTo('GET /users/').map(({ query }) => query)).toEqual(['?q=hopper&limit=5'])
  })

  test('the URL keeps a result, also an unknown one', async () => {
    const { href } = await open('/audit?action=log-in&result=no-beans')
    await screen.findByRole('heading', { name: 'No entries found' })
    expect(screen.getByText('Result: no-beans')).toBeInTheDocument()
    expect(href()).toBe('/audit?action=log-in&result=no-beans')
    expect(requestsTo('GET /audit/').map(({ query }) => query)).toEqual(['?action=log-in&result=no-beans'])
  })

  test.each([
    ['Today', 'today', 0],
    ['Yesterday', 'yesterday', 1],
  ])('%s is a day of the reader, and a link to it moves with the days', async (name, last, daysAgo) => {
    const { actor, href } = await open()
    await screen.findByRole('table')
    const dayNow = () => addDays(localDay(Date.now()), -daysAgo)
    const before = dayNow()
    await actor.selectOptions(screen.getByLabelText('Time'), name)
    await waitFor(() => expect(requestsTo('GET /audit/')).toHaveLength(2))
    expect(href()).toBe(`/audit?last=${last}`)
    const asked = new URLSearchParams(requestsTo('GET /audit/')[1]?.query)
    // The request may have been sent before midnight.
    expect([before, dayNow()].map((day) => [firstOfDay(day), lastOfDay(day)])).toContainEqual([
      asked.get('from'),
      asked.get('to'),
    ])
  })

  test('can be limited by date; an incomplete year is ignored', async () => {
    const { actor, href } = await open()
    await screen.findByRole('table')
    await actor.selectOptions(screen.getByLabelText('Time'), 'From … to …')
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '0202-11-21' } })
    expect(href()).toBe('/audit')
    fireEvent.change(screen.getByLabelText('From'), { target: { value: '2026-11-21' } })
    await shows('Role changed')
    fireEvent.change(screen.getByLabelText('To'), { target: { value: '2026-11-20' } })
    await screen.findByRole('heading', { name: 'No entries found' })
    expect(href()).toBe('/audit?from=2026-11-21&to=2026-11-20')
    expect(screen.getByText('“From” is after “To”.')).toBeInTheDocument()
  })

  test('the URL has all filters; invalid ones are removed', async () => {
    await open(`/audit?action=coffee-make&from=2026-01-01&to=2026-02-31&actor_id=me&subject_id=x&page=2`)
    await shows('coffee-make')
    expect(screen.getByText('coffee-make', { selector: 'section span' })).toBeInTheDocument()
    expect(screen.getByLabelText('From')).toHaveValue('2026-01-01')
    expect(screen.getByLabelText('To')).toHaveValue('')
    expect(requestsTo('GET /audit/').map(({ query }) => query)).toEqual([
      `?action=coffee-make&from=${encodeURIComponent(firstOfDay('2026-01-01'))}`,
    ])
  })

  test('a removable notice says whose entries are shown', async () => {
    const { actor, href } = await open(`/audit?actor_id=${root.id}&subject_id=${id}`)
    const notes = within(await screen.findByRole('region', { name: 'Filters' }))
    expect(await notes.findByText('root@example.com', { selector: 'bdi' })).toBeInTheDocument()
    expect(notes.getByText('grace@example.com', { selector: 'bdi' }).parentElement).toHaveTextContent(
      'Done to grace@example.com',
    )
    await actor.click(screen.getByRole('button', { name: 'Show events by everyone' }))
    await shows('Role changed', 'Log-in failed: wrong password')
    expect(href()).toBe(`/audit?subject_id=${id}`)
    expect(screen.getByRole('heading', { name: 'Audit Log' })).toHaveFocus()
  })

  test('a list without matches says so, and Clear filters shows all entries', async () => {
    const { actor, href } = await open('/audit?action=invite')
    await actor.click(await screen.findByRole('button', { name: 'Clear filters' }))
    await waitFor(() => expect(events()).toHaveLength(4))
    expect(href()).toBe('/audit')
  })

  test('Load more adds the next page; the last page has no button', async () => {
    const { actor } = await open('/audit', (backend) => {
      backend.people.audit = Array.from({ length: 120 }, (_, index) => makeEntry({ action: `number ${index + 1}` }))
    })
    await waitFor(() => expect(events()).toHaveLength(50))
    await actor.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(events()).toHaveLength(100))
    expect(screen.getByRole('button', { name: 'number 51' })).toHaveFocus()
    await actor.click(screen.getByRole('button', { name: 'Load more' }))
    await waitFor(() => expect(events().at(-1)).toBe('number 120'))
    expect(screen.getByRole('button', { name: 'number 101' })).toHaveFocus()
    expect(screen.queryByRole('button', { name: 'Load more' })).not.toBeInTheDocument()
    expect(requestsTo('GET /audit/').map(({ query }) => query)).toEqual(['', '?before=50', '?before=100'])
  })

  test('a double click on Load more reads one page', async () => {
    await open('/audit', (backend) => {
      backend.people.audit = Array.from({ length: 120 }, () => makeEntry())
    })
    const button = await screen.findByRole('button', { name: 'Load more' })
    act(() => {
      button.click()
      button.click()
    })
    await waitFor(() => expect(events()).toHaveLength(100))
    expect(requestsTo('GET /audit/').map(({ query }) => query)).toEqual(['', '?before=50'])
  })

  test('Load more leaves the focus where it was moved meanwhile', async () => {
    const { actor } = await open('/audit', (backend) => {
      backend.people.audit = Array.from({ length: 60 }, () => makeEntry())
    })
    const button = await screen.findByRole('button', { name: 'Load more' })
    const { promise: held, resolve: release } = Promise.withResolvers<void>()
    network.use(http.get('*/audit/', () => held, { once: true }))
    await actor.click(button)
    await actor.click(screen.getByRole('combobox', { name: 'Find events, people or details' }))
    release()
    await waitFor(() => expect(events()).toHaveLength(60))
    expect(screen.getByRole('combobox', { name: 'Find events, people or details' })).toHaveFocus()
  })

  test('a failed Load more shows an error, and the loaded entries stay', async () => {
    const { actor } = await open('/audit', (backend) => {
      backend.people.audit = Array.from({ length: 60 }, () => makeEntry())
    })
    const button = await screen.findByRole('button', { name: 'Load more' })
    network.use(http.get('*/audit/', () => refusal(409, 'Not now'), { once: true }))
    await actor.click(button)
    expect(await screen.findByRole('alert')).toHaveTextContent('More entries could not be loaded.')
    await waitFor(() => expect(events()).toHaveLength(50))
    await actor.click(button)
    await waitFor(() => expect(events()).toHaveLength(60))
    expect(screen.queryByRole('alert')).not.toBeInTheDocument()
  })

  test('the old entries are dimmed until the new ones arrive', async () => {
    const app = await open()
    const table = await screen.findByRole('table')
    network.use(http.get('*/audit/', never))
    await chooseOption(app, 'Log-in')
    expect(table.closest('[aria-busy=true]')).toBeInTheDocument()
  })

  test('Export CSV uses the filters of the URL', async () => {
    const click = vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => undefined)
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => undefined }))
    const { actor } = await open(`/audit?subject_id=${id}&action=log-in`)
    await actor.click(screen.getByRole('button', { name: 'Export CSV' }))
    await waitFor(() => expect(click).toHaveBeenCalled())
    expect(requestsTo('GET /audit/export').map(({ query }) => query)).toEqual([`?action=log-in&subject_id=${id}`])
    expect((click.mock.contexts[0] as HTMLAnchorElement).download).toBe('audit-2026-11-21.csv')
  })
})
