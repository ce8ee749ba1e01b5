import { itemList } from '../features/items/items-search'
import { userList } from '../features/users/users-search'

interface Screen {
  access: 'guest' | 'member' | 'superuser'
  /** SPEC 2: it renders nothing while it loads. */
  isEmptyAtFirst?: true
  /** Links in mails lead there, with a token in the URL. */
  takesToken?: true
  /** The API URL of its first request. @param search of the page's URL */
  reads?: (search: string) => string
}

/** Every screen by its path in the router, for the head script and the build. */
export const screens: Partial<Record<string, Screen>> = {
  '/login': { access: 'guest' },
  '/signup': { access: 'guest' },
  '/recover-password': { access: 'guest' },
  '/reset-password': { access: 'guest', takesToken: true },
  '/accept-invitation': { access: 'guest', takesToken: true },
  '/': { access: 'member', reads: () => '/api/v1/users/me/overview' },
  '/items': { access: 'member', isEmptyAtFirst: true, reads: rowsOf('/api/v1/items/', itemList) },
  '/users': { access: 'superuser', isEmptyAtFirst: true, reads: rowsOf('/api/v1/users/', userList) },
  '/users_/$userId': { access: 'superuser' },
  '/audit': { access: 'superuser' },
  '/security': { access: 'member' },
  '/settings': { access: 'member', isEmptyAtFirst: true },
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

/** The rows of a list. */
function rowsOf(url: string, { toQuery }: { toQuery: (search: Record<string, unknown>) => object }) {
  return (search: string): string => {
    const query = toQuery(Object.fromEntries(new URLSearchParams(search))) as Record<string, string>
    return `${url}?${new URLSearchParams(query).toString()}`
  }
}
