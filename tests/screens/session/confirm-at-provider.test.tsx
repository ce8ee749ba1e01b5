import { screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test, vi } from 'vitest'
import { leavesWithDraft, readDraft } from '@/data/drafts'
import { type Backend, makeUser, refusal } from '../../support/backend'
import { authorization, makeIdentity } from '../../support/identities'
import { stubNavigation } from '../../support/navigation'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const user = makeUser({ is_superuser: true })
const grace = makeUser({ email: 'grace@example.com', full_name: null })
const url = `/users?edit=${grace.id}`
const again = { name: 'Log in with Example Corp again' }

const prepare =
  (more: Partial<Backend['identities']> = {}) =>
  (backend: Backend) => {
    backend.users.push({ ...grace })
    const provider = { name: 'Example Corp', log_out: null }
    Object.assign(backend.identities, { provider, own: [makeIdentity()], ...more })
  }

/** Saves a user, for which the server wants a confirmation. */
async function save(more: Partial<Backend['identities']> = {}) {
  const app = await renderApp({ url, user, prepare: prepare(more) })
  network.use(http.patch(`*/users/${grace.id}`, () => refusal(423, 'Please confirm that it is you')))
  const edit = await screen.findByRole('dialog', { name: 'Edit User' })
  await app.actor.type(within(edit).getByLabelText('Full Name'), 'Grace Hopper')
  await app.actor.click(within(edit).getByRole('button', { name: 'Save' }))
  const dialog = await screen.findByRole('dialog', { name: 'Confirm that it is you' })
  return { ...app, dialog }
}

const draft = () => JSON.parse(sessionStorage.getItem('draft') ?? 'null') as object | null

describe('a change that needs a recent confirmation', () => {
  test('leads to the provider and back, where what was typed is there again', async () => {
    const { actor, dialog, router } = await save()
    expect(within(dialog).getByLabelText(/^Password/)).toBeInTheDocument()
    const assign = stubNavigation()
    await actor.click(within(dialog).getByRole('button', again))
    await waitFor(() => expect(assign).toHaveBeenCalledExactlyOnceWith(authorization))
    const { href } = router.state.location
    expect(requestsTo('POST /users/me/confirm/oidc').map(({ body }) => body)).toEqual([{ return_to: href }])
    expect(draft()).toMatchObject({ href, title: 'Edit User', isReturning: true })
  })

  test('leaves without the warning about unsaved text, which works again after Back', async () => {
    const { actor, dialog } = await save()
    const assign = stubNavigation()
    await actor.click(within(dialog).getByRole('button', again))
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1))
    expect(leavesWithDraft()).toBe(true)
    window.dispatchEvent(new Event('pageshow'))
    await waitFor(() => expect(draft()).toBeNull())
    expect(leavesWithDraft()).toBe(false)
  })

  test('warns before it leaves if the browser cannot keep the text', async () => {
    const { actor, dialog } = await save()
    const assign = stubNavigation()
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError')
    })
    await actor.click(within(dialog).getByRole('button', again))
    await waitFor(() => expect(assign).toHaveBeenCalledTimes(1))
    expect(leavesWithDraft()).toBe(false)
    expect(readDraft(user.id)).not.toBeNull()
    window.dispatchEvent(new Event('pageshow'))
    await waitFor(() => expect(readDraft(user.id)).toBeNull())
  })

  test('says why if the provider cannot be reached, and keeps no draft', async () => {
    const { actor, dialog } = await save()
    network.use(http.post('*/confirm/oidc', () => refusal(503, 'The provider does not answer')))
    await actor.click(within(dialog).getByRole('button', again))
    await expectToast('The provider does not answer', 'error')
    expect(draft()).toBeNull()
  })

  test.each([
    ['no account is connected', { own: [] }],
    ['there is no provider', { provider: null }],
  ])('does not offer it where %s', async (_, more) => {
    const { dialog } = await save(more)
    expect(within(dialog).getByLabelText(/^Password/)).toBeInTheDocument()
    expect(within(dialog).queryByRole('button', again)).not.toBeInTheDocument()
  })

  test.each([
    ['of an account without a password', { hasPassword: false }],
    ['where nobody has a password', { takesPasswords: false }],
  ])('%s asks for nothing else', async (_, more) => {
    const { actor, dialog } = await save(more)
    const names = within(dialog).getAllByRole('button')
    expect(names.map(({ textContent }) => textContent)).toEqual([again.name, 'Cancel', ''])
    expect(within(dialog).queryByLabelText(/Password|Code/)).not.toBeInTheDocument()
    await waitFor(() => expect(within(dialog).getByRole('button', again)).toHaveFocus())
    await actor.click(within(dialog).getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(dialog).not.toBeInTheDocument())
  })

  test('of an account with no way to confirm says what to do', async () => {
    const { dialog } = await save({ takesPasswords: false, own: [] })
    expect(dialog).toHaveTextContent('To make this change, log out and log in again.')
  })
})

describe('back from the provider', () => {
  const kept = (more: object = {}) =>
    sessionStorage.setItem(
      'draft',
      JSON.stringify({
        userId: user.id,
        title: 'Edit User',
        href: url,
        changes: { full_name: 'Grace Hopper' },
        state: { attempt: { key: 'a', sent: [] }, base: { full_name: '' } },
        at: Date.now(),
        isReturning: true,
        ...more,
      }),
    )

  test('the form has what was typed, and can be saved', async () => {
    kept()
    const { actor, backend } = await renderApp({ url, user, isStrict: true, prepare: prepare() })
    const edit = await screen.findByRole('dialog', { name: 'Edit User' })
    await waitFor(() => expect(within(edit).getByLabelText('Full Name')).toHaveValue('Grace Hopper'))
    expect(screen.queryByRole('region', { name: 'Unsaved changes' })).not.toBeInTheDocument()
    expect(draft()).toBeNull()
    await actor.click(within(edit).getByRole('button', { name: 'Save' }))
    await expectToast('User updated successfully.', 'success')
    expect(backend.users[0]).toMatchObject({ full_name: 'Grace Hopper' })
  })

  test('without a recent log-in says so, and the form has what was typed', async () => {
    kept()
    await renderApp({ url: `${url}#oidc_error=not-recent`, user, prepare: prepare() })
    await expectToast(
      'Example Corp did not confirm that you have just logged in. Try again, or confirm it in another way.',
      'error',
    )
    expect(await screen.findByLabelText('Full Name')).toHaveValue('Grace Hopper')
  })

  test('on another page, the text is offered', async () => {
    kept()
    const { actor, router } = await renderApp({ url: '/', user, prepare: prepare() })
    const notice = await screen.findByRole('region', { name: 'Unsaved changes' })
    expect(notice).toHaveTextContent('“Edit User” is not saved yet.')
    await actor.click(within(notice).getByRole('button', { name: 'Restore' }))
    expect(await screen.findByLabelText('Full Name')).toHaveValue('Grace Hopper')
    expect(router.state.location.href).toBe(url)
  })

  test('another person does not get it', async () => {
    kept({ userId: 'another' })
    await renderApp({ url, user, prepare: prepare() })
    expect(await screen.findByLabelText('Full Name')).toHaveValue('')
    expect(draft()).toBeNull()
  })
})
