import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { createAppRouter } from '@/router'
import { resources } from '../data/resources'
import { screenPath, screens } from './screens'

const { routesById } = createAppRouter(new QueryClient(), createMemoryHistory())

test('screens contains every route with a page, and its access and its first state match the route', () => {
  const pages = Object.values(routesById).filter(({ id }) => !/^(__root__|\/_auth|\/_layout|\/\$)$/.test(id))
  const found = pages.map(({ id, options }) => {
    const [, layout = '', path = ''] = /^\/(_auth|_layout)(\/.*)$/.exec(id) ?? []
    const isEmptyAtFirst = options.staticData?.isEmptyAtFirst === true
    return `${path} ${layout === '_auth' ? 'guest' : 'signed in'} ${isEmptyAtFirst}`
  })
  const expected = Object.entries(screens).map(
    ([path, screen]) =>
      `${path} ${screen?.access === 'guest' ? 'guest' : 'signed in'} ${screen?.isEmptyAtFirst === true}`,
  )
  expect(found.toSorted()).toEqual(expected.toSorted())
  expect(found).toHaveLength(11 + resources.length)
})

test('the first request of a list has the query of the URL', () => {
  const urlAt = (path: string, search: string) => screens[path]?.reads?.(search)
  expect(urlAt('/items', '?page=3&edit=x')).toBe('/api/v1/items/?skip=100&limit=50')
  expect(urlAt('/items', '?page=x&role=user&foo=1')).toBe('/api/v1/items/?skip=0&limit=50')
  expect(urlAt('/items', '?q=a+b%26c&sort=title')).toBe('/api/v1/items/?skip=0&limit=50&q=a+b%26c&sort=title')
  expect(urlAt('/users', '?role=user&status=x&idle_days=30&page=2')).toBe(
    '/api/v1/users/?skip=50&limit=50&role=user&idle_days=30&never_active=from_creation',
  )
})

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
