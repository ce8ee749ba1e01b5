import { toDialog } from './dialog-search'
import { itemList, userList } from './lists'

interface Screen {
  access: 'guest' | 'member' | 'superuser'
  /** Links in mails lead there, with a token in the address. */
  takesToken?: true
  /** The list that its first request reads, and what its address asks that for. */
  list?: { url: `/api/v1/${string}`; toQuery: (search: Record<string, unknown>) => object }
  /** What its dialogs add and edit. */
  noun?: string
  /** A form outside of dialogs. */
  form?: string
}

/** Every screen by its path, as the router has it: the head script, the build and the draft notice read this. */
export const screens: Partial<Record<string, Screen>> = {
  '/login': { access: 'guest' },
  '/signup': { access: 'guest' },
  '/recover-password': { access: 'guest' },
  '/reset-password': { access: 'guest', takesToken: true },
  '/accept-invitation': { access: 'guest', takesToken: true },
  '/': { access: 'member' },
  '/items': { access: 'member', list: { url: '/api/v1/items/', toQuery: itemList.toQuery }, noun: 'Item' },
  '/users': { access: 'superuser', list: { url: '/api/v1/users/', toQuery: userList.toQuery }, noun: 'User' },
  '/users_/$userId': { access: 'superuser', noun: 'User' },
  '/audit': { access: 'superuser' },
  '/security': { access: 'member' },
  '/settings': { access: 'member', form: 'User information' },
}

/** The screen that an address leads to. */
export function screenPath(pathname: string): string {
  // As the router: with or without a slash at the end.
  const path = pathname.replace(/(.)\/$/, '$1')
  return /^\/users\/[^/]+$/.test(path) ? '/users_/$userId' : path
}

const readSearch = (search: string) => Object.fromEntries(new URLSearchParams(search))

/** The address that the rows of a list are read from. @param search of the page's address */
export function listUrl({ url, toQuery }: NonNullable<Screen['list']>, search: string): string {
  const query = Object.entries(toQuery(readSearch(search))).map(([key, value]) => [key, `${value}`])
  return `${url}?${new URLSearchParams(query).toString()}`
}

const verbs: Partial<Record<string, string>> = { add: 'Add', invite: 'Invite' }

/** The name of the form at an address of the application. */
export function formNameAt(href: string): string {
  const { pathname, search } = new URL(href, location.origin)
  const { noun = '', form = '' } = screens[screenPath(pathname)] ?? {}
  const dialog = toDialog(readSearch(search))
  return dialog === null || noun === '' ? form : `${verbs[dialog.kind] ?? 'Edit'} ${noun}`
}
