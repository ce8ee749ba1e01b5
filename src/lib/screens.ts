import { capitalize } from './text'
import { pageQuery } from './paging'
import { type PagedTag, resources, type ResourceTag } from './resources'

export interface Screen {
  access: 'guest' | 'member' | 'superuser'
  /** Shown in the document title, the breadcrumbs and the palette. */
  title: string
  /** The page replaces the title by a name when it is known, such as an address. */
  isNamedLater?: true
  parent?: { label: string; to: '/users' | `/${ResourceTag}` }
  needs?: 'administration'
  /** The screen renders nothing while it loads (SPEC 2). */
  isEmptyAtFirst?: true
  /** Links in mails lead to this screen, with a token in the URL. */
  takesToken?: true
  /** The API URL that the head script prefetches. */
  reads?: string
  isList?: true
}

const screensOfResources = Object.fromEntries(
  resources.map(({ tag, title }): [string, Screen] => [
    `/${tag}`,
    { access: 'member', title, isEmptyAtFirst: true, reads: `/api/v1/${tag}/`, isList: true },
  ]),
) as Record<`/${ResourceTag}`, Screen>

const screensOfRows = Object.fromEntries(
  resources
    .filter(({ hasPages }) => hasPages)
    .map(({ tag, noun, title }): [string, Screen] => [
      `/${tag}_/$id`,
      { access: 'member', title: capitalize(noun), isNamedLater: true, parent: { label: title, to: `/${tag}` } },
    ]),
) as Record<`/${PagedTag}_/$id`, Screen>

/**
 * Every screen by its path in the router, for routes (as `staticData`), the head script and the build.
 * This file imports no library, because the head script is a part of index.html.
 */
export const screens = {
  '/login': { access: 'guest', title: 'Log in' },
  '/signup': { access: 'guest', title: 'Sign up' },
  '/recover-password': { access: 'guest', title: 'Recover password' },
  '/reset-password': { access: 'guest', title: 'Reset password', takesToken: true },
  '/accept-invitation': { access: 'guest', title: 'Welcome', takesToken: true },
  '/confirm-email': { access: 'guest', title: 'Confirm Email', takesToken: true },
  '/': { access: 'member', title: 'Dashboard', reads: '/api/v1/users/me/overview' },
  ...screensOfResources,
  ...screensOfRows,
  '/users': { access: 'superuser', title: 'Users', reads: '/api/v1/users/', isList: true },
  '/users_/$userId': {
    access: 'superuser',
    title: 'User',
    isNamedLater: true,
    parent: { label: 'Users', to: '/users' },
  },
  '/audit': { access: 'superuser', title: 'Audit Log', needs: 'administration' },
  '/security': { access: 'member', title: 'Security', needs: 'administration' },
  '/settings': { access: 'member', title: 'Settings', isEmptyAtFirst: true },
} as const satisfies Record<string, Screen>

/**
 * The API URL that the head script prefetches. For a list it is only the plain first page, because an address can
 * contain anything.
 */
export function prefetchUrl({ reads, isList }: Screen, search: string): string | undefined {
  if (!isList || reads === undefined) return reads
  const { skip, limit } = pageQuery(1)
  return search === '' || search === '?page=1' ? `${reads}?skip=${skip}&limit=${limit}` : undefined
}

/** The path in `screens` for a URL's path, or the given path if no screen matches. */
export function screenPath(pathname: string): string {
  // Like the router, ignores a trailing slash.
  const path = pathname.replace(/(.)\/$/, '$1')
  return Object.keys(screens).find((screen) => patternOf(screen).test(path)) ?? path
}

/** Matches URLs of a path in the router, such as `/users_/$userId`. A trailing `_` of a segment is not in the URL. */
const patternOf = (screen: string) => new RegExp(`^${screen.replaceAll('_/', '/').replaceAll(/\$\w+/g, '[^/]+')}$`)
