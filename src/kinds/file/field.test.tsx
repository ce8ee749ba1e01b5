import { QueryClientProvider } from '@tanstack/react-query'
import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { http, HttpResponse } from 'msw'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import '@/app'
import { createQueryClient } from '@/data/api/query-client'
import { uploadedFile } from '@/lib/validation/rules'
import { Backend, makeUser } from '../../../tests/support/backend'
import { transferOf, unreadableFile } from '../../../tests/support/files'
import { network, requestsTo } from '../../../tests/support/network'
import { FileField } from './field'
import { uploadFile } from './upload'
import { useZodForm } from '@/components/form/use-form'

const schema = z.object({ scan: uploadedFile() })

function open() {
  const backend = new Backend()
  backend.user = makeUser()
  localStorage.setItem('access_token', backend.token)
  network.use(...backend.handlers)

  function Form() {
    const form = useZodForm(schema, { scan: '' })
    return (
      <form>
        <FileField control={form.control} name="scan" label="Scan" />
        <p>beside</p>
      </form>
    )
  }

  render(
    <QueryClientProvider client={createQueryClient()}>
      <Form />
    </QueryClientProvider>,
  )
  return { actor: userEvent.setup(), input: screen.getByLabelText('Scan') }
}

const uploads = () => requestsTo('POST /files')

test.each([
  ['NotFoundError', /^“\S+” is no longer there\. It was moved, renamed or deleted\.$/],
  ['NotReadableError', /^“\S+” cannot be read\. It was changed since you chose it, or another program has it open\.$/],
] as const)('a file that cannot be read (%s) is named, and not sent', async (name, reason) => {
  const { actor, input } = open()
  await actor.upload(input, unreadableFile('scan.pdf', name))
  expect(await screen.findByText(reason)).toHaveTextContent('scan.pdf')
  expect(input).toHaveAccessibleDescription(reason)
  expect(uploads()).toEqual([])
})

test('a file that goes while it is sent is named, too', async () => {
  const { actor, input } = open()
  const file = new File(['text'], 'scan.pdf')
  network.use(
    http.post('*/files', () => {
      file.slice = () => unreadableFile('', 'NotReadableError')
      return HttpResponse.error()
    }),
  )
  await actor.upload(input, file)
  expect(await screen.findByText(/^“\S+” cannot be read\./)).toBeInTheDocument()
})

test('an upload that was stopped before it began is not sent', async () => {
  open()
  const options = { signal: AbortSignal.abort(), onProgress: () => undefined }
  await expect(uploadFile(new File(['text'], 'scan.pdf'), options)).rejects.toHaveProperty('name', 'AbortError')
  expect(uploads()).toEqual([])
})

test('a folder is named, whether it is dropped or pasted, and a file beside the field is ignored', async () => {
  const { actor, input } = open()
  const folder = transferOf(new File([], 'Documents'), true)
  for (const give of [
    () => fireEvent.drop(input, { dataTransfer: folder }),
    () => fireEvent.paste(input, { clipboardData: folder }),
  ]) {
    expect(give()).toBe(false)
    expect(await screen.findByText(/^“\S+” is a folder\. Choose a file\.$/)).toHaveTextContent('Documents')
    await actor.upload(input, new File(['text'], 'notes.txt'))
    await actor.click(await screen.findByRole('button', { name: 'Remove Scan' }))
  }
  const before = uploads().length
  const file = transferOf(new File(['text'], 'notes.txt'))
  expect(fireEvent.drop(screen.getByText('beside'), { dataTransfer: file })).toBe(false)
  expect(uploads()).toHaveLength(before)
  fireEvent.drop(input, { dataTransfer: file })
  expect(await screen.findByRole('button', { name: 'notes.txt' })).toBeInTheDocument()
})
