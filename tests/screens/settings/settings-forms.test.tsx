import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { describe, expect, test } from 'vitest'
import { hasUnsavedText } from '@/data/drafts'
import { reloadWhereOutdated } from '@/data/reload-outdated'
import { makeUser } from '../../support/backend'
import { network, requestsTo } from '../../support/network'
import { expectToast, renderApp } from '../../support/render-app'

async function open(url: string, { full_name = 'Ada Lovelace' } = {}) {
  const app = await renderApp({ url, user: makeUser({ email: 'ada@example.com', full_name }) })
  await screen.findByRole('heading', { name: 'Settings' })
  return app
}

const openTab = (name: string) => screen.getByRole('tab', { name })
const panel = (name: string) => screen.getByRole('tabpanel', { name })

describe('the settings', () => {
  test('a typed password is not discarded by a reload for a newer version', async () => {
    network.use(http.head('/', () => new HttpResponse()))
    const { actor } = await open('/settings?tab=password')
    await actor.type(await screen.findByLabelText(/^Current Password/), 'correct horse')
    expect(await reloadWhereOutdated(new TypeError('Code that is gone'))).toBe(false)
  })

  test('a concurrent change during text composition keeps the text and the caret', async () => {
    const { actor, backend, queryClient } = await open('/settings')
    const name = screen.getByLabelText<HTMLInputElement>('Full Name')
    await actor.click(name)
    fireEvent.compositionStart(name)
    name.setRangeText('か', 3, 3, 'end')
    fireEvent.input(name)
    if (backend.user) Object.assign(backend.user, { email: 'new@example.com', full_name: 'Someone' })
    await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
    await waitFor(() => expect(screen.getByLabelText(/^Email/)).toHaveValue('new@example.com'))
    expect(screen.getByLabelText('Full Name')).toBe(name)
    expect(name).toHaveFocus()
    expect([name.value, name.selectionStart, name.selectionEnd]).toEqual(['Adaか Lovelace', 4, 4])
  })
})

describe('the profile', () => {
  test('has no unsaved changes if the input cannot show a character of the name, such as a line break', async () => {
    await open('/settings', { full_name: 'Ada\nLovelace' })
    expect(screen.getByLabelText('Full Name')).toHaveValue('AdaLovelace')
    expect(screen.getByRole('button', { name: 'Save' })).toBeDisabled()
    expect(hasUnsavedText()).toBe(false)
  })

  test('takes a name on one line without control characters, and may change the rest of an older one', async () => {
    const { actor } = await open('/settings', { full_name: 'Ada\tLove\u009Blace' })
    const name = screen.getByLabelText('Full Name')
    expect(name).toHaveValue('AdaLovelace')
    const email = screen.getByLabelText(/^Email/)
    await actor.clear(email)
    await actor.type(email, 'new@example.com{Enter}')
    await expectToast('User updated successfully.')
    expect(requestsTo('PATCH /users/me').map(({ body }) => body)).toEqual([{ email: 'new@example.com' }])
    await actor.clear(name)
    await actor.click(name)
    await actor.paste('Ada\tBcc: eve@evil.example')
    await actor.keyboard('{Enter}')
    expect(await screen.findByText('Full name must be one line without control characters')).toBeInTheDocument()
    expect(requestsTo('PATCH /users/me')).toHaveLength(1)
  })

  test('keeps text that is typed during a save', async () => {
    const { actor } = await open('/settings')
    const arrived = Promise.withResolvers<void>()
    network.use(http.patch('*/users/me', () => arrived.promise, { once: true }))
    const name = screen.getByLabelText('Full Name')
    await actor.type(name, ' King{Enter}')
    await waitFor(() => expect(requestsTo('PATCH /users/me')).toHaveLength(1))
    await actor.type(name, ' Noel')
    arrived.resolve()
    await expectToast('User updated successfully.')
    expect(name).toHaveValue('Ada Lovelace King Noel')
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
    await actor.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(name).toHaveValue('Ada Lovelace King')
  })

  test('Undo brings back what Cancel has reset, from another page, too', async () => {
    const { actor } = await open('/settings')
    await actor.type(screen.getByLabelText('Full Name'), ' King')
    await actor.click(screen.getByRole('button', { name: 'Cancel' }))
    expect(screen.getByLabelText('Full Name')).toHaveValue('Ada Lovelace')
    await expectToast('“User information” was reset. What you typed was not saved.')
    await actor.click(screen.getAllByRole('link', { name: 'Dashboard' })[0] ?? document.body)
    await screen.findByRole('heading', { name: /^Hi/ })
    await actor.click(screen.getByRole('button', { name: 'Undo' }))
    expect(await screen.findByLabelText('Full Name')).toHaveValue('Ada Lovelace King')
    expect(screen.getByRole('button', { name: 'Save' })).toBeEnabled()
    expect(requestsTo('PATCH /users/me')).toEqual([])
  })

  test('validates an invalid field on every key even after a concurrent change', async () => {
    const { actor, backend, queryClient } = await open('/settings')
    const email = screen.getByLabelText(/^Email/)
    await actor.clear(email)
    await actor.type(email, 'a@b{Enter}')
    expect(await screen.findByText('Invalid email address')).toBeInTheDocument()
    if (backend.user) backend.user.full_name = 'Someone'
    await act(() => queryClient.invalidateQueries({ queryKey: ['currentUser'] }))
    await waitFor(() => expect(screen.getByLabelText('Full Name')).toHaveValue('Someone'))
    await actor.type(email, '.example')
    expect(email).toHaveFocus()
    expect(screen.queryByText('Invalid email address')).not.toBeInTheDocument()
  })
})

describe('the tabs', () => {
  test('are one tab stop; arrow keys, Home and End open a tab', async () => {
    const { actor } = await open('/settings')
    act(() => openTab('General').focus())
    const stops: [string, string][] = [
      ['{ArrowLeft}', 'Danger Zone'],
      ['{ArrowRight}', 'General'],
      ['{ArrowRight}', 'Password'],
      ['{End}', 'Danger Zone'],
      ['{ArrowLeft}', 'Appearance'],
      ['{Home}', 'General'],
    ]
    for (const [key, name] of stops) {
      await actor.keyboard(key)
      await waitFor(() => expect(openTab(name)).toHaveAttribute('aria-selected', 'true'))
      expect(openTab(name)).toHaveFocus()
      expect(screen.getAllByRole('tab').filter((tab) => tab.tabIndex === 0)).toEqual([openTab(name)])
      expect(screen.getAllByRole('tabpanel')).toEqual([panel(name)])
      expect(openTab(name)).toHaveAttribute('aria-controls', panel(name).id)
    }
    await actor.tab()
    expect(panel('General')).toHaveFocus()
  })

  test('move from the focused tab, even before the URL has changed', async () => {
    await open('/settings')
    act(() => openTab('General').focus())
    for (const name of ['Password', 'Appearance']) {
      fireEvent.keyDown(document.activeElement as Element, { key: 'ArrowRight' })
      // Radix moves the focus after the key event.
      await waitFor(() => expect(openTab(name)).toHaveFocus(), { interval: 1 })
    }
    await waitFor(() => expect(openTab('Appearance')).toHaveAttribute('aria-selected', 'true'))
  })

  test('ignore keys with a modifier', async () => {
    const { actor } = await open('/settings')
    act(() => openTab('General').focus())
    await actor.keyboard('{Alt>}{ArrowLeft}{/Alt}{Control>}{End}{/Control}')
    expect(openTab('General')).toHaveAttribute('aria-selected', 'true')
    expect(openTab('General')).toHaveFocus()
  })
})
