import { describe, expect, test } from 'vitest'
import { ApiError, SaveConflict } from './errors'
import { type Precondition, saveChanges } from './save'

const apiError = (status: number) => new ApiError({ url: 'https://x.test/api', status, statusText: '' }, {})

/**
 * @param stored the results of reads: first, and after each rejection; the last one repeats
 * @param versions the versions of these results
 * @param answers the results of writes: an error status, or the stored text
 */
async function save(stored: string[], versions: (string | null)[], answers: (number | string)[]) {
  const sent: Precondition[] = []
  const next = <T>(values: T[]) => (values.length > 1 ? values.shift() : values[0]) as T
  const read = () => {
    const version = next(versions)
    return { text: next(stored), ...(version !== null && { version }) }
  }
  const outcome = await saveChanges({
    first: async () => read(),
    conflictsWith: ({ text }) => text !== 'seen',
    read: async () => read(),
    write: async (headers) => {
      sent.push(headers)
      const given = next(answers)
      if (typeof given === 'number') throw apiError(given)
      return { data: { text: given }, response: new Response() }
    },
  }).then(
    ({ text }) => text,
    (error: unknown) => error,
  )
  return { outcome, sent: sent.map((headers) => headers['If-Match'] ?? null) }
}

describe('saveChanges', () => {
  test('overwrites the version that the user has seen, with its version as a condition', async () => {
    expect(await save(['seen'], ['1'], ['mine'])).toEqual({ outcome: 'mine', sent: ['"1"'] })
  })

  test('does not overwrite another version', async () => {
    const { outcome, sent } = await save(['theirs'], ['1'], ['mine'])
    expect(outcome).toBeInstanceOf(SaveConflict)
    expect([(outcome as SaveConflict).server, sent]).toEqual([{ text: 'theirs', version: '1' }, []])
  })

  test('detects a conflict after a 412', async () => {
    const { outcome, sent } = await save(['seen', 'theirs'], ['1', '2'], [412])
    expect([(outcome as SaveConflict).server, sent]).toEqual([{ text: 'theirs', version: '2' }, ['"1"']])
  })

  test('retries a limited number of times if only the version has changed', async () => {
    expect(await save(['seen'], ['1', '2'], [412, 'mine'])).toEqual({ outcome: 'mine', sent: ['"1"', '"2"'] })
    const { outcome, sent } = await save(['seen'], ['1', '2', '3', '4', '5'], [412])
    expect([(outcome as ApiError).status, sent]).toEqual([412, ['"1"', '"2"', '"3"', '"4"']])
  })

  test('sends no precondition to a back end without versions', async () => {
    expect(await save(['seen'], [null], ['mine'])).toEqual({ outcome: 'mine', sent: [null] })
  })

  test('sends no precondition after the same version was refused', async () => {
    expect(await save(['seen'], ['1'], [412, 'mine'])).toEqual({ outcome: 'mine', sent: ['"1"', null] })
  })

  test('reports a deleted resource as a conflict, and other errors unchanged', async () => {
    const gone = await save(['seen'], ['1'], [404])
    expect(gone.outcome).toBeInstanceOf(SaveConflict)
    expect((gone.outcome as SaveConflict).server).toBeNull()
    for (const status of [401, 403, 409, 422, 503]) {
      expect(await save(['seen'], ['1'], [status])).toEqual({ outcome: apiError(status), sent: ['"1"'] })
    }
  })
})
