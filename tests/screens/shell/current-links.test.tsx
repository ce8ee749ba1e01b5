import { cleanup, screen, waitFor, within } from '@testing-library/react'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { resources } from '@/data/resources'
import { type Screen, screens } from '@/lib/screens'
import { pageNumber } from '@/lib/search-params'
import { makeUser } from '../../support/backend'
import { makeRow } from '../../support/samples'
import { renderApp } from '../../support/render-app'

const root = makeUser({ email: 'root@example.com', full_name: 'Root', is_superuser: true })
const all: [string, Screen][] = Object.entries(screens)

const addressesOf = (path: string, { isList }: Screen): string[] => {
  const url = path.replace('/users_/$userId', `/users/${root.id}`)
  const searches = isList ? ['?page=1', '?page=3', '?page=2&sort=created_at', '?page=2&created_from=2020-01-01'] : []
  return [url, ...searches.map((search) => `${url}${search}`)]
}

async function open(url: string, { access, isList }: Screen): Promise<void> {
  await renderApp({
    url,
    ...(access !== 'guest' && { user: root }),
    prepare: (backend) => {
      for (const { tag } of resources)
        backend.rows[tag] = Array.from({ length: 120 }, () => makeRow(tag, { owner_id: root.id }))
      backend.users.push(root, ...Array.from({ length: 120 }, (_, index) => makeUser({ email: `u${index}@x.example` })))
    },
  })
  await screen.findByRole('heading', { level: 1 })
  if (isList) await screen.findByRole('navigation', { name: 'Pagination' })
}

const inNav = (name: string) => Array.from(screen.queryByRole('navigation', { name })?.querySelectorAll('a') ?? [])
const isCurrent = (element: Element) => element.getAttribute('aria-current') === 'page'
const hrefOf = (link: Element) => new URL(link.getAttribute('href') ?? '', window.location.origin)

test.each(all)(
  'on %s, only links to the shown page say that they are current',
  async (path, descriptor) => {
    for (const url of addressesOf(path, descriptor)) {
      await open(url, descriptor)
      const { pathname, searchParams } = new URL(url, window.location.origin)
      const sidebar = inNav('Main').filter(isCurrent)
      // SPEC 2: the current item has the path of the page or of one above it. Dashboard needs the exact path.
      expect([url, sidebar.map((link) => hrefOf(link).pathname)]).toEqual([
        url,
        inNav('Main')
          .map((link) => hrefOf(link).pathname)
          .filter((link) => pathname === link || (link !== '/' && pathname.startsWith(`${link}/`))),
      ])
      const pages = inNav('Pagination').filter(isCurrent)
      const shown = z.parse(pageNumber(), searchParams.get('page')) ?? 1
      expect([url, pages.map((link) => hrefOf(link).searchParams.get('page'))]).toEqual([
        url,
        descriptor.isList ? [String(shown)] : [],
      ])
      const crumb = screen.queryByRole('navigation', { name: 'Breadcrumb' })?.querySelectorAll('li > :last-child') ?? []
      const last = Array.from(crumb).slice(-1)
      const current = Array.from(document.querySelectorAll('[aria-current]'))
      expect([url, current.filter((element) => ![...sidebar, ...pages, ...last].includes(element))]).toEqual([url, []])
      expect([url, last.filter((element) => !isCurrent(element))]).toEqual([url, []])
      cleanup()
    }
  },
  20_000,
)

test.each(resources.map(({ to }) => to).concat('/users'))(
  'SPEC 3: links to pages of %s have ?page={n}',
  async (url) => {
    await open(url, screens['/users'])
    const nav = within(await screen.findByRole('navigation', { name: 'Pagination' }))
    await waitFor(() =>
      expect(
        ['Page 1', 'Page 2', 'Page 3', 'Next page'].map((name) => nav.getByRole('link', { name }).getAttribute('href')),
      ).toEqual([1, 2, 3, 2].map((page) => `${url}?page=${page}`)),
    )
  },
)
