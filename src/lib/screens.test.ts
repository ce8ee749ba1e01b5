import { QueryClient } from '@tanstack/react-query'
import { createMemoryHistory } from '@tanstack/react-router'
import { expect, test } from 'vitest'
import { createAppRouter } from '@/router'
import { resources } from '@/data/resources'
import { firstRequest, type Screen, screenPath, screens } from './screens'

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

test('the first request of a list has the query of the URL', () => {
  const urlAt = (path: string, search: string) =>
    firstRequest(descriptors[path] ?? { access: 'guest', title: '' }, search)
  expect(urlAt('/items', '?page=3&edit=x')).toBe('/api/v1/items/?skip=100&limit=50')
  expect(urlAt('/items', '?page=1')).toBe(urlAt('/items', ''))
  expect(urlAt('/items', '?page=x&role=user&foo=1')).toBe('/api/v1/items/?skip=0&limit=50')
  expect(urlAt('/items', '?q=a+b%26c&sort=title')).toBe('/api/v1/items/?skip=0&limit=50&q=a+b%26c&sort=title')
  expect(urlAt('/users', '?role=user&status=x&idle_days=30&page=2')).toBe(
    '/api/v1/users/?skip=50&limit=50&idle_days=30&role=user&never_active=from_creation',
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
