import { expect, test } from 'vitest'
import { fileIn, fileText, SENDING, sizeText } from './file-text'
import { toBody } from './to-body'

const file = { id: 'an id', name: 'Notes.pdf', type: 'application/pdf', size: 1200 }

test('a file is a text in a form, whatever else an answer has', () => {
  expect(fileIn(fileText({ ...file, more: 1 } as typeof file))).toEqual(file)
  expect(fileText(file)).toBe(fileText({ size: 1200, type: file.type, name: file.name, id: file.id }))
  expect([fileText(null), fileIn(''), fileIn(SENDING), fileIn(undefined)]).toEqual([
    '',
    undefined,
    undefined,
    undefined,
  ])
})

test('a body links to a file, or to none', () => {
  const values = { scan: fileText(file), photo: '' }
  expect(toBody(values, { files: ['scan', 'photo'] })).toEqual({ scan: { id: 'an id' }, photo: null })
  expect(toBody<Partial<typeof values>, never, never, 'scan'>({}, { files: ['scan'] })).toEqual({})
})

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1200, '1.2 KB'],
  [25_000_000, '25 MB'],
])('%i bytes are %s', (bytes, text) => {
  expect(sizeText(bytes)).toBe(text)
})
