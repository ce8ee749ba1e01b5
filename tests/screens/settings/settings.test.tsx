import { act, screen, waitFor, within } from '@testing-library/react'
import { http } from 'msw'
import { describe, expect, test } from 'vitest'
import { makeUser, refusal } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

const ada = () => makeUser({ email: 'ada@example.com', full_name: 'Ada Lovelace' })

const tabNames = () => screen.getAllByRole('tab').map((tab) => tab.textContent)
const selectedTab = () => screen.getByRole('tab', { selected: true }).textContent

describe('/settings', () => {
  test('SPEC 2: heading, description and four tabs', async () => {
    await renderApp({ url: '/settings', user: ada() })
    expect(await screen.findByRole('heading', { name: 'Settings' })).toBeInTheDocument()
    expect(screen.getByText('Update your account settings.')).toBeInTheDocument()
    expect(tabNames()).toEqual(['General', 'Password', 'Appearance', 'Danger Zone'])
  })

  test.each([
    ['', 'General'],
    ['?tab=general', 'General'],
    ['?tab=password', 'Password'],
    ['?tab=appearance', 'Appearance'],
    ['?tab=dangerzone', 'Danger Zone'],
    ['?tab=other', 'General'],
  ])('SPEC 2: %j opens %s', async (search, tab) => {
    await renderApp({ url: `/settings${search}`, user: ada() })
    await screen.findByRole('heading', { name: 'Settings' })
    expect(selectedTab()).toBe(tab)
  })

  test.each([
    ['?tab=dangerzone', makeUser({ is_superuser: true })],
    ['?tab=dangerzone&delete', makeUser({ is_superuser: true })],
    ['?tab=other', ada()],
    ['?tab=other&delete', ada()],
  ])('%s that gives General is replaced by ?tab=general', async (search, user) => {
    const { router } = await renderApp({ url: `/settings${search}`, user })
    await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=general'))
    expect(router.history.length).toBe(1)
    expect(selectedTab()).toBe('General')
    expect(screen.queryByRole('dialog')).not.toBeInTheDocument()
  })

  test('the address without a tab stays', async () => {
    const { actor, router } = await renderApp({ url: '/settings', user: ada() })
    await screen.findByRole('heading', { name: 'Settings' })
    expect(router.state.location.href).toBe('/settings')
    await actor.click(screen.getByRole('tab', { name: 'Appearance' }))
    await actor.click(screen.getByRole('tab', { name: 'General' }))
    await waitFor(() => expect(router.state.location.href).toBe('/settings?tab=general'))
  })

  test('SPEC 6: a superuser has no Danger Zone; its URL opens General', async () => {
    await renderApp({ url: '/settings?tab=dangerzone', user: makeUser({ is_superuser: true }) })
    await screen.findByRole('heading', { name: 'Settings' })
    expect(tabNames()).toEqual(['General', 'Password', 'Appearance'])
    expect(selectedTab()).toBe('General')
  })

  test('opening a tab changes the URL', async () => {
    const { actor, router } = await renderApp({ url: '/settings', user: ada() })
    await actor.click(await screen.findByRole('tab', { name: 'Appearance' }))
    await waitFor(() => expect(router.state.location.search).toEqual({ tab: 'appearance' }))
    expect(screen.getByRole('tab', { name: 'Appearance' })).toHaveFocus()
  })

  describe('General', () => {
    async function openProfile() {
      const app = await renderApp({ url: '/settings', user: ada() })
      return {
        ...app,
        name: await screen.findByLabelText('Full Name'),
        email: screen.getByLabelText(/^Email/),
        save: screen.getByRole('button', { name: 'Save' }),
        cancel: screen.getByRole('button', { name: 'Cancel' }),
      }
    }

    test('SPEC 5: Save and Cancel require a change; Save requires an email address', async () => {
      const { actor, name, email, save, cancel } = await openProfile()
      expect(save).toBeDisabled()
      expect(cancel).toBeDisabled()
      await actor.type(name, '!')
      expect(save).toBeEnabled()
      await actor.clear(email)
      expect(save).toBeDisabled()
      await actor.click(cancel)
      expect(name).toHaveValue('Ada Lovelace')
      expect(email).toHaveValue('ada@example.com')
      expect(cancel).toBeDisabled()
      expect(screen.getByRole('tabpanel', { name: 'General' })).toHaveFocus()
    })

    test('SPEC 4: a save shows a toast, and the sidebar shows the new name immediately', async () => {
      const { actor, name, save } = await openProfile()
      await actor.clear(name)
      await actor.type(name, 'Countess Lovelace')
      await actor.click(save)
      await expectToast('User updated successfully.')
      expect(requestsTo('PATCH /users/me').map(({ body }) => body)).toEqual([{ full_name: 'Countess Lovelace' }])
      expect(await screen.findByRole('button', { name: /Countess Lovelace/ })).toBeInTheDocument()
      await waitFor(() => expect(save).toBeDisabled())
    })

    test('fields show changes from another tab, except fields with unsaved text', async () => {
      const { name, email, actor, backend, queryClient } = await openProfile()
      await actor.type(name, '!')
      if (backend.user) Object.assign(backend.user, { email: 'new@example.com', full_name: 'Someone' })
      await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
      await waitFor(() => expect(email).toHaveValue('new@example.com'))
      expect(name).toHaveValue('Ada Lovelace!')
    })

    test('unsaved text stays while another tab is open', async () => {
      const { name, actor } = await openProfile()
      await actor.type(name, '!')
      await actor.click(screen.getByRole('tab', { name: 'Appearance' }))
      await actor.click(screen.getByRole('tab', { name: 'General' }))
      expect(screen.getByLabelText('Full Name')).toHaveValue('Ada Lovelace!')
    })

    test('SPEC 5: a name of more than 30 characters and a malformed email address show messages', async () => {
      const { actor, name, email, save } = await openProfile()
      await actor.clear(name)
      await actor.type(name, 'x'.repeat(31))
      await actor.clear(email)
      await actor.type(email, 'a@b')
      await actor.click(save)
      expect(await screen.findByText('Full name must be at most 30 characters')).toBeInTheDocument()
      expect(screen.getByText('Invalid email address')).toBeInTheDocument()
      expect(name).toHaveFocus()
      expect(requestsTo('PATCH /users/me')).toEqual([])
      await actor.type(name, '{Backspace}')
      expect(screen.queryByText('Full name must be at most 30 characters')).not.toBeInTheDocument()
    })
  })

  describe('Password', () => {
    async function openPassword() {
      const app = await renderApp({ url: '/settings?tab=password', user: ada() })
      return {
        ...app,
        current: await screen.findByLabelText(/^Current Password/),
        next: screen.getByLabelText(/^New Password/),
        confirmation: screen.getByLabelText(/^Confirm Password/),
        save: screen.getByRole('button', { name: 'Save' }),
      }
    }

    test('SPEC 5: Save requires a valid form; a save shows a toast and clears the form', async () => {
      const { actor, current, next, confirmation, save } = await openPassword()
      await actor.type(current, 'old password')
      await actor.type(next, 'new password')
      await actor.type(confirmation, 'new passwor')
      expect(save).toBeDisabled()
      await actor.type(confirmation, 'd')
      await actor.click(save)
      await expectToast('Password updated successfully.')
      expect(requestsTo('PATCH /users/me/password').map(({ body }) => body)).toEqual([
        { current_password: 'old password', new_password: 'new password' },
      ])
      await waitFor(() => expect(current).toHaveValue(''))
      expect(next).toHaveValue('')
      expect(confirmation).toHaveValue('')
      expect(save).toBeDisabled()
      expect(screen.getByRole('tabpanel', { name: 'Password' })).toHaveFocus()
    })

    test('the form names the account for password managers', async () => {
      const user = ada()
      await renderApp({ url: '/settings?tab=password', user })
      const field = await screen.findByLabelText(/^New Password/)
      const username = field.closest('form')?.querySelector('[autocomplete=username]')
      expect(username).toHaveValue(user.email)
      expect(username).not.toBeVisible()
    })

    test('SPEC 8: a wrong current password shows a toast, and the form keeps its text', async () => {
      const { actor, current, next, confirmation, save } = await openPassword()
      network.use(http.patch('*/users/me/password', () => refusal(400, 'Incorrect password')))
      await actor.type(current, 'not this one')
      await actor.type(next, 'new password')
      await actor.type(confirmation, 'new password')
      await actor.click(save)
      await expectToast('Incorrect password', 'error')
      expect(next).toHaveValue('new password')
    })

    test('SPEC 5: the shared rules apply to the current and the new password', async () => {
      const { actor, current, next, confirmation } = await openPassword()
      await actor.type(current, 'short')
      await actor.click(next)
      await actor.click(confirmation)
      await actor.tab()
      expect(await screen.findByText('Password must be at least 8 characters')).toBeInTheDocument()
      expect(screen.getByText('Password is required')).toBeInTheDocument()
      expect(await screen.findByText('Password confirmation is required')).toBeInTheDocument()
    })
  })

  describe('Appearance', () => {
    test('SPEC 2: system, light or dark; the choice is stored and applied immediately', async () => {
      const { actor } = await renderApp({ url: '/settings?tab=appearance', user: ada() })
      expect(await screen.findByRole('radio', { name: 'System' })).toBeChecked()
      await actor.click(screen.getByRole('radio', { name: 'Dark' }))
      expect(document.documentElement).toHaveClass('dark')
      expect(localStorage.getItem('theme')).toBe('dark')
      await actor.click(screen.getByRole('radio', { name: 'Light' }))
      expect(document.documentElement).not.toHaveClass('dark')
    })

    test('SPEC 4: a theme that is chosen in another tab is applied', async () => {
      await renderApp({ url: '/settings?tab=appearance', user: ada() })
      await screen.findByRole('radio', { name: 'System' })
      act(() => {
        localStorage.setItem('theme', 'dark')
        window.dispatchEvent(new StorageEvent('storage', { key: 'theme', newValue: 'dark' }))
      })
      expect(document.documentElement).toHaveClass('dark')
      expect(screen.getByRole('radio', { name: 'Dark' })).toBeChecked()
    })
  })

  describe('Danger Zone', () => {
    async function openDelete() {
      const app = await renderApp({ url: '/settings?tab=dangerzone', user: ada() })
      await app.actor.click(await screen.findByRole('button', { name: 'Delete Account' }))
      return { ...app, dialog: await screen.findByRole('dialog', { name: 'Delete Account' }) }
    }

    test('SPEC 4: deleting the account logs the user out', async () => {
      const { actor, dialog, router } = await openDelete()
      expect(dialog).toHaveAccessibleDescription(/permanently deleted.*cannot be undone/)
      expect(within(dialog).getByRole('button', { name: 'Cancel' })).toHaveFocus()
      await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
      expect(await screen.findByRole('heading', { name: 'Login to your account' })).toBeInTheDocument()
      await expectToast('Your account has been successfully deleted')
      expect(router.state.location.pathname).toBe('/login')
      expect(localStorage.getItem('access_token')).toBeNull()
    })

    test('SPEC 8: the shared handler reports a failure, and the user stays logged in', async () => {
      const { actor, dialog } = await openDelete()
      network.use(http.delete('*/users/me', () => refusal(409, 'Superusers cannot delete themselves')))
      await actor.click(within(dialog).getByRole('button', { name: 'Delete' }))
      await expectToast('Superusers cannot delete themselves', 'error')
      expect(localStorage.getItem('access_token')).not.toBeNull()
    })
  })
})
