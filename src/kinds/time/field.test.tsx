import { fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test, vi } from 'vitest'
import * as z from 'zod/mini'
import { instant } from '@/lib/validation/rules'
import { TimeField } from './field'
import { changesOf, type Form, unlessTyped, useZodForm } from '@/components/form/use-form'

const schema = z.object({ due_at: instant('Due At is required'), title: z.string() })
type Values = z.infer<typeof schema>

/** The hour that Berlin has twice when daylight saving time ends: the second one, with seconds. */
const repeated = '2026-10-25T01:30:07.000Z'

beforeEach(() => void vi.stubEnv('TZ', 'Europe/Berlin'))

function renderForm(first: string) {
  let form: Form<Values, Values> | undefined
  const take = (own: typeof form) => void (form = own)
  function Form({ due_at }: { due_at: string }) {
    const values = { due_at, title: 'x' }
    const own = useZodForm(schema, values, { values, resetOptions: unlessTyped })
    take(own)
    return <TimeField control={own.control} name="due_at" label="Due At" required />
  }
  const { rerender } = render(<Form due_at={first} />)
  return {
    input: screen.getByLabelText<HTMLInputElement>(/^Due At/),
    changes: () => form && changesOf(form),
    focus: () => form?.setFocus('due_at'),
    update: (due_at: string) => rerender(<Form due_at={due_at} />),
  }
}

const change = (input: HTMLInputElement, value: string) => fireEvent.change(input, { target: { value } })

test('a time that nobody changes stays as it is, also where clocks show it twice', async () => {
  const { input, changes } = renderForm(repeated)
  expect(input.value).toBe('2026-10-25T02:30:07')
  expect(screen.getByText('Time zone: Europe/Berlin, GMT+1')).toBeInTheDocument()
  await userEvent.click(input)
  await userEvent.tab()
  expect(changes()).toEqual({})
  expect(input.value).toBe('2026-10-25T02:30:07')
})

test('a typed time is that of the zone, and another minute is in the same hour', () => {
  const { input, changes } = renderForm(repeated)
  change(input, '2026-10-25T02:45')
  expect(changes()).toEqual({ due_at: '2026-10-25T01:45:00.000Z' })
  change(input, '2026-07-01T09:00')
  expect(changes()).toEqual({ due_at: '2026-07-01T07:00:00.000Z' })
  expect(screen.getByText('Time zone: Europe/Berlin, GMT+2')).toBeInTheDocument()
})

test('a time that clocks skip is shown as what it is when the field is left', () => {
  const { input, changes } = renderForm(repeated)
  change(input, '2026-03-29T02:30')
  expect(input.value).toBe('2026-03-29T02:30')
  fireEvent.blur(input)
  expect(input.value).toBe('2026-03-29T03:30')
  expect(changes()).toEqual({ due_at: '2026-03-29T01:30:00.000Z' })
})

test('a cleared time is required, and a part of one is invalid', async () => {
  const { input, changes, focus } = renderForm(repeated)
  change(input, '')
  fireEvent.blur(input)
  expect(changes()).toEqual({ due_at: '' })
  expect(await screen.findByText('Due At is required')).toBeInTheDocument()
  vi.spyOn(input.validity, 'badInput', 'get').mockReturnValue(true)
  fireEvent.blur(input)
  expect(await screen.findByText('Enter the whole date and time')).toBeInTheDocument()
  expect(input).toBeInvalid()
  focus()
  await waitFor(() => expect(input).toHaveFocus())
})

test('an unchanged time follows the server, and a changed one stays', () => {
  const { input, update, changes } = renderForm(repeated)
  update('2026-07-01T07:00:00.000Z')
  expect(input.value).toBe('2026-07-01T09:00')
  change(input, '2026-07-01T10:00')
  update('2026-07-01T05:00:00.000Z')
  expect(input.value).toBe('2026-07-01T10:00')
  expect(changes()).toEqual({ due_at: '2026-07-01T08:00:00.000Z' })
})
