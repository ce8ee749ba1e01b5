import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { QueryClientProvider } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { createQueryClient } from '@/data/api/query-client'
import { day } from '@/lib/validation/rules'
import { DateField } from './field'
import { changesOf, type Form, unlessTyped, useSave, useZodForm, withoutChanges } from '@/components/form/use-form'

const schema = z.object({ due_on: day() })
type Values = z.infer<typeof schema>

function Queries({ children }: { children: ReactNode }) {
  return <QueryClientProvider client={createQueryClient()}>{children}</QueryClientProvider>
}

function renderForm(first: string) {
  const sent: Values[] = []
  let form: Form<Values, Values> | undefined
  const take = (own: typeof form) => void (form = own)
  function Form({ due_on }: Values) {
    const own = useZodForm(schema, { due_on }, { values: { due_on }, resetOptions: unlessTyped })
    take(own)
    const { onSubmit } = useSave(own, {
      send: (values: Values) => {
        sent.push(values)
        return Promise.resolve(values)
      },
    })
    return (
      <form noValidate onSubmit={onSubmit}>
        <DateField control={own.control} name="due_on" label="Due On" />
        <button type="submit">Save</button>
      </form>
    )
  }
  const { rerender } = render(<Form due_on={first} />, { wrapper: Queries })
  const input = screen.getByLabelText<HTMLInputElement>('Due On')
  const badInput = vi.spyOn(input.validity, 'badInput', 'get')
  return {
    sent,
    input,
    actor: userEvent.setup(),
    changes: () => form && changesOf(form),
    reset: () => act(() => form?.reset({ due_on: first }, withoutChanges)),
    update: (due_on: string) => rerender(<Form due_on={due_on} />),
    /** Simulates a browser while a part of the day is missing, because jsdom cannot. */
    typePart: () => {
      badInput.mockReturnValue(true)
      const hadText = input.value !== ''
      if (hadText) fireEvent.change(input, { target: { value: '' } })
      Object.defineProperty(input, 'value', {
        configurable: true,
        get: () => '',
        set: (text: string) => {
          badInput.mockReturnValue(false)
          Reflect.deleteProperty(input, 'value')
          input.value = text
        },
      })
    },
  }
}

test.each(['', '2026-11-21'])('a part of a day over %j is refused in words, and saves nothing', async (stored) => {
  const { input, actor, sent, typePart } = renderForm(stored)
  await actor.click(input)
  typePart()
  await actor.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter the whole date')).toBeInTheDocument()
  expect(input).toBeInvalid()
  await waitFor(() => expect(input).toHaveFocus())
  expect(sent).toEqual([])
})

test('Enter in the field submits no part of a day', async () => {
  const { input, actor, sent, typePart } = renderForm('')
  await actor.click(input)
  typePart()
  await actor.keyboard('{Enter}')
  expect(await screen.findByText('Enter the whole date')).toBeInTheDocument()
  expect(sent).toEqual([])
})

test('a part of a day is a change, which a reset clears', () => {
  const { input, changes, reset, typePart } = renderForm('')
  typePart()
  fireEvent.keyUp(input)
  expect(changes()).toEqual({ due_on: 'incomplete' })
  reset()
  expect(changes()).toEqual({})
  expect(input.validity.badInput).toBe(false)
})

test('a day of the server takes the place of a part that the form does not know yet', () => {
  const { input, update, typePart } = renderForm('')
  typePart()
  update('2026-12-01')
  expect(input).toHaveValue('2026-12-01')
  expect(input.validity.badInput).toBe(false)
})

test('a year of two digits is refused in words', async () => {
  const { input, actor, sent } = renderForm('2026-11-21')
  fireEvent.change(input, { target: { value: '0026-11-21' } })
  await actor.click(screen.getByRole('button', { name: 'Save' }))
  expect(await screen.findByText('Enter the year with four digits')).toBeInTheDocument()
  expect(input).toHaveValue('0026-11-21')
  expect(sent).toEqual([])
})

test('a whole day is saved, and an empty one is none', async () => {
  const { input, actor, sent } = renderForm('2026-11-21')
  for (const value of ['1985-01-02', '']) {
    fireEvent.change(input, { target: { value } })
    await actor.click(screen.getByRole('button', { name: 'Save' }))
    await waitFor(() => expect(sent.at(-1)).toEqual({ due_on: value }))
  }
})
