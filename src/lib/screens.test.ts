import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { describe, expect, test } from 'vitest'
import { createAppRouter } from '@/router'
import { resources } from '@/data/resources'
import { prefetchUrl, type Screen, screenPath, screens } from './screens'

const descriptors: Partial<Record<string, Screen>> = screens

const { routesById } = createAppRouter(new QueryClient(), createMemoryHistory())

test('every route with a page has its descriptor', () => {
  const pages = Object.values(routesById).filter(({ id }) => !/^(__root__|\/_auth|\/_layout(\/\$)?)$/.test(id))
  const found = pages.map(({ id, options }) => {
    const [, layout, path = ''] = /^\/(_auth|_layout)(\/.*)$/.exec(id) ?? []
    const screen = descriptors[path]
    expect(options.staticData).toMatchObject(screen ?? {})
    expect(screen?.access === 'guest').toBe(layout === '_auth')
    return path
  })
  expect(found.toSorted()).toEqual(Object.keys(screens).toSorted())
  expect(found.length).toBeGreaterThanOrEqual(11 + resources.length)
})

describe.each(Object.entries(descriptors).filter(([, screen]) => screen?.isList))(
  'the prefetched request of %s',
  (path, screen) => {
    const { reads } = screen ?? {}
    const firstPage = `${reads}?skip=0&limit=50`
    const urlAt = (search: string) => screen && prefetchUrl(screen, search)
    const schema = routesById[`/_layout${path}` as '/_layout/users'].options.validateSearch as unknown as {
      shape: Record<string, unknown>
    }

    test('is for its first page, as it is', () => {
      expect(urlAt('')).toBe(firstPage)
      expect(urlAt('?page=1')).toBe(firstPage)
    })

    test.each(Object.keys(schema.shape))('is sent for no address with %s', (name) => {
      const odd = [
        '',
        '0',
        '2',
        '-1',
        '1.5',
        '1e9',
        '99999999999',
        'me',
        'x'.repeat(256),
        '%00',
        '%F0',
        'a,b',
        '2026-02-31',
      ]
      for (const value of odd)
        for (const search of [`?${name}=${value}`, `?page=1&${name}=${value}`, `?${name}=${value}&page=1`, `?${name}`])
          expect([search, urlAt(search)]).toEqual([search, undefined])
    })
  },
)

test.each([
  ['/', '/'],
  ['/users', '/users'],
  ['/users/', '/users'],
  ['/users/01890000', '/users_/$userId'],
  ['/users/01890000/', '/users_/$userId'],
  ['/users//', '/users/'],
  ['/users/1/2', '/users/1/2'],
  ['/users_/1', '/users_/1'],
  ['/constructor', '/constructor'],
])('the screen of the URL %s is %s', (url, path) => {
  expect(screenPath(url)).toBe(path)
})
