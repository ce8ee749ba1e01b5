import { act, screen, waitFor } from '@testing-library/react'
import { http, HttpResponse } from 'msw'
import { expect, test, vi } from 'vitest'
import { refusal } from '../../support/backend'
import { forms, startEditing } from '../../support/edit-forms'
import type { Edited } from '../../support/edited'
import { network } from '../../support/network'
import { expectToast, roundTrip } from '../../support/render-app'

const userForm = forms['a user'] as Edited

test('SPEC 8: a rejected form shows a toast with the first reason, and keeps its text', async () => {
  const { actor, save, typed } = await startEditing(userForm)
  const reasons = [{ loc: ['body', 'full_name'], msg: 'Too grand', type: 'x' }]
  network.use(http.patch('*/users/:id', () => refusal(422, reasons)))
  await actor.click(save())
  await expectToast('Too grand')
  expect(typed).toHaveValue('Grace by me')
})

test('while offline, a change fails immediately with a message, and is not sent later', async () => {
  const { actor, save, typed, writes } = await startEditing(userForm)
  const online = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false)
  network.use(http.patch('*/users/:id', () => HttpResponse.error()))
  act(() => void window.dispatchEvent(new Event('offline')))
  await actor.click(save())
  await expectToast('Something went wrong.', 'error')
  online.mockReturnValue(true)
  act(() => void window.dispatchEvent(new Event('online')))
  await roundTrip()
  expect(writes()).toHaveLength(1)
  expect(typed).toHaveValue('Grace by me')
})

test('a form that is opened again after an error shows the stored data and no message', async () => {
  const { actor, save, typed, other } = await startEditing(userForm)
  network.use(http.patch('*/users/:id', () => refusal(500, 'Out of order')))
  await actor.clear(other())
  await actor.tab()
  expect(await screen.findByText('Email is required')).toBeInTheDocument()
  await actor.type(other(), 'never@example.com')
  await actor.click(save())
  await expectToast('Out of order')
  expect(typed).toHaveValue('Grace by me')
  await actor.click(screen.getByRole('button', { name: 'Cancel' }))
  await waitFor(() => expect(screen.queryByRole('dialog')).not.toBeInTheDocument())

  await actor.click(screen.getByRole('button', { name: 'Actions for grace@example.com' }))
  await actor.click(await screen.findByRole('menuitem', { name: 'Edit' }))
  expect(await screen.findByLabelText('Full Name')).toHaveValue('Grace')
  expect(other()).toHaveValue('grace@example.com')
  expect(screen.queryByText('Email is required')).not.toBeInTheDocument()
  expect(save()).toBeDisabled()
})
