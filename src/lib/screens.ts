import { pageQuery } from './paging'

export interface Screen {
  access: 'guest' | 'member' | 'superuser'
  /** In the document title, the breadcrumbs and the palette. */
  title: string
  /** The page gets a name of its own, such as an address, when it is known. */
  isNamedLater?: true
  /** The screen above it, besides the dashboard. */
  parent?: { label: string; to: '/users' }
  /** Another back end of the contract may not have its operations. */
  needsCapabilities?: true
  /** SPEC 2: it renders nothing while it loads. */
  isEmptyAtFirst?: true
  /** Links in mails lead there, with a token in the URL. */
  takesToken?: true
  /** The API URL of its first request. */
  reads?: string
  /** If it is a list: the values of its sort, and of filters that have some. */
  list?: { choices: Record<string, readonly string[]> }
}

/**
 * Every screen by its path in the router. Its route has it as `staticData`; the head script and the build read it, too.
 * Without code of libraries, as the head script is a part of index.html.
 */
export const screens = {
  '/login': { access: 'guest', title: 'Log in' },
  '/signup': { access: 'guest', title: 'Sign up' },
  '/recover-password': { access: 'guest', title: 'Recover password' },
  '/reset-password': { access: 'guest', title: 'Reset password', takesToken: true },
  '/accept-invitation': { access: 'guest', title: 'Welcome', takesToken: true },
  '/confirm-email': { access: 'guest', title: 'Confirm Email', takesToken: true },
  '/': { access: 'member', title: 'Dashboard', reads: '/api/v1/users/me/overview' },
  '/items': {
    access: 'member',
    title: 'Items',
    isEmptyAtFirst: true,
    reads: '/api/v1/items/',
    list: { choices: { sort: sortsOf('created_at', 'title') } },
  },
  '/users': {
    access: 'superuser',
    title: 'Users',
    reads: '/api/v1/users/',
    list: {
      choices: {
        role: ['superuser', 'user'],
        status: ['active', 'inactive', 'invited'],
        never_active: ['only'],
        confirmed: ['yes', 'no'],
        sort: sortsOf('created_at', 'email', 'full_name', 'last_active_at'),
      },
    },
  },
  '/users_/$userId': {
    access: 'superuser',
    title: 'User',
    isNamedLater: true,
    parent: { label: 'Users', to: '/users' },
  },
  '/audit': { access: 'superuser', title: 'Audit Log', needsCapabilities: true },
  '/security': { access: 'member', title: 'Security', needsCapabilities: true },
  '/settings': { access: 'member', title: 'Settings', isEmptyAtFirst: true },
} as const satisfies Record<string, Screen>

/** The fields to sort by, with `-` for descending order. Newest first is the default. */
function sortsOf<Field extends string>(...fields: Field[]) {
  return fields.flatMap((field) => [field, `-${field}` as const]).filter((sort) => sort !== '-created_at')
}

/** The API URL of the first request of a screen. Of a list only the first page, as it is: an address can say anything. */
export function firstRequest({ reads, list }: Screen, search: string): string | undefined {
  if (!list || reads === undefined) return reads
  const { skip, limit } = pageQuery(1)
  return search === '' || search === '?page=1' ? `${reads}?skip=${skip}&limit=${limit}` : undefined
}

/** The path in `screens` of a URL's path; without such a screen, the URL's path. */
export function screenPath(pathname: string): string {
  // Like the router, ignores a trailing slash.
  const path = pathname.replace(/(.)\/$/, '$1')
  return Object.keys(screens).find((screen) => isPathOf(screen, path)) ?? path
}

/** Whether a path in the router, such as `/users_/$userId`, matches. A trailing `_` of a segment is not in the URL. */
function isPathOf(screen: string, path: string): boolean {
  const given = path.split('/')
  const segments = screen.split('/')
  return (
    segments.length === given.length &&
    segments.every((segment, index) =>
      segment.startsWith('$') ? given[index] !== '' : segment.replace(/_$/, '') === given[index],
    )
  )
}
