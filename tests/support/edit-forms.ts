import { screen } from '@testing-library/react'
import { makeUser } from './backend'
import type { Edited } from './edited'
import { itemForm } from './items/edit-form'
import { requestsTo } from './network'
import { renderApp } from './render-app'

export const forms: Record<string, Edited> = {
  'an item': itemForm,
  'a user': {
    subject: 'This user',
    saved: 'User updated successfully.',
    url: '/users',
    prepare: (backend) => {
      const row = makeUser({ email: 'grace@example.com', full_name: 'Grace' })
      backend.users.push(row)
      return { row, menu: 'Actions for grace@example.com' }
    },
    path: (id) => `/users/${id}`,
    method: 'PATCH',
    typed: { label: 'Full Name', key: 'full_name', was: 'Grace' },
    other: { label: 'Email', key: 'email' },
  },
  'one’s own account': {
    subject: 'Your account',
    saved: 'User updated successfully.',
    url: '/settings',
    prepare: (backend) => ({ row: backend.user ?? makeUser() }),
    path: () => '/users/me',
    method: 'PATCH',
    typed: { label: 'Full Name', key: 'full_name', was: 'Root' },
    other: { label: 'Email', key: 'email' },
  },
}

const save = () => screen.getByRole('button', { name: 'Save' })

export async function startEditing(edited: Edited, hasVersions = true) {
  let opened: ReturnType<Edited['prepare']> | undefined
  const app = await renderApp({
    url: edited.url,
    user: makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true }),
    prepare: (backend) => {
      backend.hasVersions = hasVersions
      opened = edited.prepare(backend)
    },
  })
  if (!opened) throw new Error('Nothing to edit')
  const { row, menu } = opened
  if (menu !== undefined) {
    await app.actor.click(await screen.findByRole('button', { name: menu }))
    await app.actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  }
  const typed = await screen.findByLabelText(new RegExp(`^${edited.typed.label}`))
  await app.actor.type(typed, ' by me')
  const writes = () => requestsTo(`${edited.method} ${edited.path(row.id)}`)
  const other = () => screen.getByLabelText(new RegExp(`^${edited.other.label}`))
  return { ...app, row, typed, other, save, writes }
}
