import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Profiler } from 'react'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { TitleSchema } from '@/client/schemas.gen'
import { email, requiredText } from '@/lib/validation/rules'
import { useZodForm } from './use-form'
import { SaveButton, TextField } from './fields'

const schema = z.object({ title: requiredText('Title is required', TitleSchema), email: email() })

test('typing renders no field; a message renders only its field', async () => {
  const renders = { title: 0, email: 0, save: 0 }
  const count = (part: keyof typeof renders) => () => void (renders[part] += 1)

  function Form() {
    const form = useZodForm(schema, { title: '', email: '' })
    return (
      <form>
        <Profiler id="title" onRender={count('title')}>
          <TextField control={form.control} name="title" label="Title" />
        </Profiler>
        <Profiler id="email" onRender={count('email')}>
          <TextField control={form.control} name="email" label="Email" />
        </Profiler>
        <Profiler id="save" onRender={count('save')}>
          <SaveButton form={form} pending={false} />
        </Profiler>
      </form>
    )
  }

  render(<Form />)
  const actor = userEvent.setup()
  const before = { ...renders }
  await actor.type(screen.getByLabelText('Email'), 'a@b')
  expect(renders).toEqual({ ...before, save: before.save + 3 })

  await actor.tab()
  expect(await screen.findByText('Invalid email address')).toBeInTheDocument()
  expect(renders.email).toBe(before.email + 1)
  expect(renders.title).toBe(before.title)
})
