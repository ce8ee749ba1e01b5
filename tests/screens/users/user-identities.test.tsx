import { screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import { type Backend, makeUser } from '../../support/backend'
import { makeIdentity } from '../../support/identities'
import { requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const grace = makeUser({ email: 'grace@example.com', full_name: 'Grace Hopper' })

const open = (id: string, more: Partial<Backend['identities']> = {}) =>
  renderApp({
    url: `/users/${id}`,
    user: root,
    prepare: (backend) => {
      backend.users.push(root, grace)
      const one = [makeIdentity({ id: 'work' })]
      const provider = { name: 'Example Corp', log_out: null }
      Object.assign(backend.identities, { provider, others: { [grace.id]: one, [root.id]: one }, ...more })
    },
  })

const section = () => screen.findByRole('region', { name: 'Connected account' })

test('a user’s page lists the connected accounts, and a superuser removes one', async () => {
  const { actor } = await open(grace.id)
  await screen.findByRole('list', { name: 'Connected accounts' })
  expect(await section()).toHaveTextContent('ada@work.example.com')
  await actor.click(screen.getByRole('button', { name: 'Remove ada@work.example.com' }))
  const dialog = await screen.findByRole('dialog', { name: 'Remove Connected Account' })
  expect(dialog).toHaveTextContent('grace@example.com can no longer log in with this account.')
  await actor.click(within(dialog).getByRole('button', { name: 'Remove' }))
  await expectToast('The account is no longer connected.', 'success')
  await waitFor(async () => expect(await section()).toHaveTextContent('No account is connected.'))
  await waitFor(() => expect(screen.getByRole('heading', { level: 1 })).toHaveFocus())
  expect(requestsTo(`DELETE /users/${grace.id}/identities/work`)).toHaveLength(1)
})

test('the own page leads to the security page instead', async () => {
  const { actor, router } = await open(root.id)
  await screen.findByRole('list', { name: 'Connected accounts' })
  expect(await section()).toHaveTextContent('ada@work.example.com')
  expect(within(await section()).queryByRole('button')).not.toBeInTheDocument()
  await actor.click(within(await section()).getByRole('link', { name: 'Your security page' }))
  await waitFor(() => expect(router.state.location.pathname).toBe('/security'))
})

test('a back end without a provider: no section and no request', async () => {
  await open(grace.id, { provider: null })
  expect(await screen.findByRole('region', { name: 'History' })).toBeInTheDocument()
  expect(screen.queryByRole('region', { name: 'Connected account' })).not.toBeInTheDocument()
  expect(requestsTo(`GET /users/${grace.id}/identities`)).toEqual([])
})
