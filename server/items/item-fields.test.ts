import { expect, test } from 'vitest'
import { buildTestAppWith } from '../test/people.ts'

test('items that are invalid are rejected without an echo of the input', async () => {
  const { ada } = await buildTestAppWith({ ada: {} })
  const response = await ada.post('/items/', { title: '   ', description: 12345 })
  expect(response.statusCode).toBe(422)
  expect(response.json()).toEqual({
    detail: [
      { loc: ['body', 'title'], msg: 'String should have at least 1 character', type: 'minLength' },
      { loc: ['body', 'description'], msg: 'Input should be a text or null', type: 'type' },
    ],
  })
  expect(response.body).not.toContain('12345')
})

test('lengths of items count code points, of titles after trimming', async () => {
  const { ada } = await buildTestAppWith({ ada: {} })
  const post = (json: object) => ada.post('/items/', { title: 'x', ...json })
  const title = '👩'.repeat(255)
  const made = await post({ title: `  ${title}  `, description: '👩'.repeat(10_000) })
  expect(made.json()).toMatchObject({ title })
  const changed = await ada.put(`/items/${made.json<{ id: string }>().id}`, { title: ' Two ' })
  expect(changed.json()).toMatchObject({ title: 'Two' })
  for (const json of [{ title: `${title}x` }, { description: 'x'.repeat(10_001) }])
    expect((await post(json)).statusCode).toBe(422)
})
