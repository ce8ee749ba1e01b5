import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { expect, test } from 'vitest'
import { resources } from '@/lib/resources'
import { makeUser, never } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { makeEntry, makeSession } from '../../support/people'
import { renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace Hopper', is_superuser: true })

const parts = [
  `/users/${grace.id}`,
  `/users/${grace.id}/sessions`,
  `/users/${grace.id}/second-factor`,
  ...resources.map(({ tag }) => `/${tag}/`),
  '/audit/',
]
const counts = () => parts.map((path) => requestsTo(`GET ${path}`).length)
const once = parts.map(() => 1)

const open = (url: string, prepare: () => void = () => undefined) =>
  renderApp({
    url,
    user: root,
    prepare: (backend) => {
      backend.users.push(root, grace)
      backend.people.sessions[grace.id] = [makeSession()]
      backend.people.audit = [makeEntry({ subject: { id: grace.id, email: grace.email } })]
      prepare()
    },
  })

test('a press on the name asks for all parts at once, and the page shows what the row knew before the first answer', async () => {
  const { actor } = await open('/users')
  const link = await screen.findByRole('link', { name: 'Grace Hopper' })
  network.use(...parts.map((path) => http.get(`*${path}`, never)))
  await actor.click(link)
  expect(await screen.findByRole('heading', { level: 1, name: 'Grace Hopper' })).toHaveFocus()
  const fact = (name: string) => screen.getByText(name, { selector: 'dt' }).nextElementSibling
  expect(screen.getByRole('main')).toHaveTextContent(/Grace Hopper.*grace@example\.com.*Superuser.*Active/)
  const crumbs = screen.getByRole('navigation', { name: 'Breadcrumb' })
  expect(within(crumbs).getByText('grace@example.com')).toBeInTheDocument()
  expect(screen.getByRole('button', { name: 'Edit' })).toBeInTheDocument()
  // Placeholders take the place of the parts.
  for (const { title } of resources) expect(fact(title)).toBeEmptyDOMElement()
  expect(screen.getByRole('region', { name: 'Two-step login' })).toHaveTextContent('Passkeys')
  expect(screen.getByRole('region', { name: 'Sessions' })).toBeInTheDocument()
  await waitFor(() => expect(counts()).toEqual(once))
})

test.each(['hovered', 'focused', 'touched'])(
  'the name that is %s asks for the parts, and the press for none',
  async (how) => {
    const { actor } = await open('/users')
    const link = await screen.findByRole('link', { name: 'Grace Hopper' })
    if (how === 'hovered') await actor.hover(link)
    else if (how === 'focused') link.focus()
    else fireEvent.touchStart(link)
    await waitFor(() => expect(counts()).toEqual(once))
    await actor.click(link)
    expect(await screen.findByRole('table', { name: 'History' })).toBeInTheDocument()
    expect(counts()).toEqual(once)
  },
)

test('a link to the page asks for all parts at once', async () => {
  await open(`/users/${grace.id}`, () => network.use(...parts.map((path) => http.get(`*${path}`, never))))
  await waitFor(() => expect(counts()).toEqual(once))
})
