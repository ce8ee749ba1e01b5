import { expect, test, vi } from 'vitest'
import { CodeLoadError } from './api/errors'

function load() {
  vi.resetModules()
  return import('./reload-outdated')
}

test('several failures at the same time reload the page once, and the same failure does not reload it again', async () => {
  const reload = vi.fn<() => void>()
  vi.stubGlobal('location', { reload })
  vi.stubGlobal('fetch', async () => new Response())
  const { reloadWhereOutdated } = await load()
  const errors = ['a.js', 'a.js', 'b.js'].map((file) => new CodeLoadError(`${file} is gone`))
  expect(await Promise.all(errors.map(reloadWhereOutdated))).toEqual([true, true, true])
  expect(reload).toHaveBeenCalledTimes(1)

  const reloaded = await load()
  expect(await reloaded.reloadWhereOutdated(errors[0])).toBe(false)
  expect(reload).toHaveBeenCalledTimes(1)
})
