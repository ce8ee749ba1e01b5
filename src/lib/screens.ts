import { toDialog } from './dialog-search'
import { itemList, userList } from './lists'

interface Screen {
  access: 'guest' | 'member' | 'superuser'
  /** Links in mails lead there, with a token in the URL. */
  takesToken?: true
  /** The list of its first request, and the API query for its URL. */
  list?: { url: `/api/v1/${string}`; toQuery: (search: Record<string, unknown>) => object }
  /** The URL of its first request, if it has no list. */
  reads?: `/api/v1/${string}`
  /** The noun of its dialogs. */
  noun?: string
  /** The name of its form outside of dialogs. */
  form?: string
}

/** Every screen by its path in the router, for the head script, the build and the draft notice. */
export const screens: Partial<Record<string, Screen>> = {
  '/login': { access: 'guest' },
  '/signup': { access: 'guest' },
  '/recover-password': { access: 'guest' },
  '/reset-password': { access: 'guest', takesToken: true },
  '/accept-invitation': { access: 'guest', takesToken: true },
  '/': { access: 'member', reads: '/api/v1/users/me/overview' },
  '/items': { access: 'member', list: { url: '/api/v1/items/', toQuery: itemList.toQuery }, noun: 'Item' },
  '/users': { access: 'superuser', list: { url: '/api/v1/users/', toQuery: userList.toQuery }, noun: 'User' },
  '/users_/$userId': { access: 'superuser', noun: 'User' },
  '/audit': { access: 'superuser' },
  '/security': { access: 'member' },
  '/settings': { access: 'member', form: 'User information' },
}

export function screenPath(pathname: string): string {
  // Like the router, ignores a trailing slash.
  const path = pathname.replace(/(.)\/$/, '$1')
  return /^\/users\/[^/]+$/.test(path) ? '/users_/$userId' : path
}

const readSearch = (search: string) => Object.fromEntries(new URLSearchParams(search))

/** The API URL of a list's rows. @param search of the page's URL */
export function listUrl({ url, toQuery }: NonNullable<Screen['list']>, search: string): string {
  const query = Object.entries(toQuery(readSearch(search))).map(([key, value]) => [key, `${value}`])
  return `${url}?${new URLSearchParams(query).toString()}`
}

const verbs: Partial<Record<string, string>> = { add: 'Add', invite: 'Invite' }

/** The name of the form at a URL of the application. */
export function formNameAt(href: string): string {
  const { pathname, search } = new URL(href, location.origin)
  const { noun = '', form = '' } = screens[screenPath(pathname)] ?? {}
  const dialog = toDialog(readSearch(search))
  return dialog === null || noun === '' ? form : `${verbs[dialog.kind] ?? 'Edit'} ${noun}`
}
