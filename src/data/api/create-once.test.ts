import { describe, expect, test } from 'vitest'
import { createOnce, newAttempt } from './save'
import { ApiError } from './errors'

interface Note {
  title: string
}

const apiError = (status: number) => new ApiError({ url: 'https://x.test/api', status, statusText: '' }, {})

function answer<Resource extends Note>(stored: Resource) {
  return { data: { ...stored, version: stored.title }, response: new Response() }
}

function setPlace() {
  const place: { stored: (Note & { id: string }) | null; written: number } = { stored: null, written: 0 }
  const attempt = newAttempt()
  /** @param before runs right before an update */
  const save = (title: string, before?: () => void) =>
    createOnce<Note, Note & { id: string }>(
      attempt,
      { title },
      {
        create: async () => {
          place.stored ??= { id: '1', title }
          return answer(place.stored)
        },
        update: async (made, headers) => {
          before?.()
          if (!place.stored) throw apiError(404)
          if (headers['If-Match'] !== `"${place.stored.title}"`) throw apiError(412)
          place.written += 1
          place.stored = { ...made, title }
          return answer(place.stored)
        },
      },
    )
  return { place, save }
}

describe('createOnce', () => {
  test('updates the resource of an earlier attempt to the current text, only if it differs', async () => {
    const { place, save } = setPlace()
    expect(await save('one')).toEqual({ id: '1', title: 'one', version: 'one' })
    expect(await save('one')).toEqual({ id: '1', title: 'one', version: 'one' })
    expect(place.written).toBe(0)
    expect(await save('two')).toEqual({ id: '1', title: 'two', version: 'two' })
    expect(await save('one')).toEqual({ id: '1', title: 'one', version: 'one' })
    expect(place.written).toBe(2)
  })

  test('does not overwrite a concurrent change', async () => {
    const { place, save } = setPlace()
    await save('one')
    const theirs = { id: '1', title: 'theirs' }
    await expect(save('two', () => (place.stored = theirs))).rejects.toThrow('someone has changed it since')
    expect(place).toEqual({ stored: theirs, written: 0 })
  })

  test('reports if another user has changed the resource, and then creates another one', async () => {
    const { place, save } = setPlace()
    await save('one')
    place.stored = { id: '1', title: 'theirs' }
    await expect(save('one')).resolves.toEqual({ id: '1', title: 'theirs', version: 'theirs' })
    await expect(save('two')).rejects.toThrow('Save again to add what you typed as another one.')
    place.stored = null
    expect(await save('two')).toEqual({ id: '1', title: 'two', version: 'two' })
  })

  test('creates the resource again after a concurrent deletion', async () => {
    const { place, save } = setPlace()
    await save('one')
    expect(await save('two', () => (place.stored = null))).toEqual({ id: '1', title: 'two', version: 'two' })
    expect(place.written).toBe(0)
  })

  test('reports errors, and still recognizes earlier attempts afterwards', async () => {
    const { place, save } = setPlace()
    await save('one')
    const broken = save('two', () => {
      throw apiError(503)
    })
    await expect(broken).rejects.toMatchObject({ status: 503 })
    expect(await save('three')).toEqual({ id: '1', title: 'three', version: 'three' })
    expect(place.written).toBe(1)
  })
})
