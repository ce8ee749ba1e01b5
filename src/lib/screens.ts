import { toDialog } from './dialog-search'
import { toListQuery, toListSearch } from './list-search'

interface Screen {
  access: 'guest' | 'member' | 'superuser'
  /** The list that its first request reads. */
  list?: `/api/v1/${string}`
  /** What its dialogs add and edit. */
  noun?: string
  /** A form outside of dialogs. */
  form?: string
}

/** Every screen by its path: the head script, the build and the draft notice read this. */
export const screens: Partial<Record<string, Screen>> = {
  '/login': { access: 'guest' },
  '/signup': { access: 'guest' },
  '/recover-password': { access: 'guest' },
  '/reset-password': { access: 'guest' },
  '/': { access: 'member' },
  '/items': { access: 'member', list: '/api/v1/items/', noun: 'Item' },
  '/users': { access: 'superuser', list: '/api/v1/users/', noun: 'User' },
  '/settings': { access: 'member', form: 'User information' },
}

const readSearch = (search: string) => Object.fromEntries(new URLSearchParams(search))

/** The address that the rows of a list are read from. @param search of the page's address */
export function listUrl(list: string, search: string): string {
  const query = Object.entries(toListQuery(toListSearch(readSearch(search)))).map(([key, value]) => [key, `${value}`])
  return `${list}?${new URLSearchParams(query).toString()}`
}

/** The name of the form at an address of the application. */
export function formNameAt(href: string): string {
  const { pathname, search } = new URL(href, location.origin)
  const { noun = '', form = '' } = screens[pathname] ?? {}
  const dialog = toDialog(readSearch(search))
  return dialog === null || noun === '' ? form : `${dialog.kind === 'add' ? 'Add' : 'Edit'} ${noun}`
}
