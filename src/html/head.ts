import { askEarly } from '../lib/api/early'
import { pageQuery, toPage } from '../lib/paging'
import { getToken } from '../lib/session'
import { readSidebarExpanded } from '../lib/sidebar-cookie'

// Stands in the head of index.html as a script and runs before anything is painted or loaded. It may import only what is small:
// scripts/spa-html.ts writes it into every page.

/** Replaced by the build: what the pages load besides the entry, by path, for those without and with a session. */
declare const CODE: { guest: Partial<Record<string, string[]>>; member: Partial<Record<string, string[]>> }

const code = CODE
const path = location.pathname.replace(/(.)\/$/, '$1')
const { dataset, classList } = document.documentElement

try {
  const theme = localStorage.getItem('theme')
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  classList.add(isDark ? 'dark' : 'light')
  prepare(getToken())
} catch {
  // Without storage there is neither a theme nor a session.
}

function prepare(token: string | null): void {
  for (const href of (token === null ? code.guest : code.member)[path] ?? []) {
    const link = document.createElement('link')
    Object.assign(link, { rel: 'modulepreload', crossOrigin: '', href })
    document.head.append(link)
  }
  const isMember = path in code.member
  if (token === null) {
    // Without its token this page says that its link is incomplete.
    const isIncomplete = path === '/reset-password' && !new URLSearchParams(location.search).get('token')
    if (!isIncomplete) dataset.outline = isMember ? '/login' : path
  } else if (isMember) {
    dataset.outline = readSidebarExpanded() ? 'expanded' : 'collapsed'
    askForFirstScreen(token)
  }
}

/** Asks for what the page will ask for: who this is and, where the page has a list, for its rows. */
function askForFirstScreen(token: string): void {
  const base = import.meta.env.VITE_API_URL || location.origin
  const ask = (url: string) => askEarly(base + url, `Bearer ${token}`)

  const me = ask('/api/v1/users/me')
  const { skip, limit } = pageQuery(toPage(new URLSearchParams(location.search).get('page') ?? undefined))
  const rows = `?skip=${skip}&limit=${limit}`
  if (path === '/items') void ask(`/api/v1/items/${rows}`)
  if (path === '/users') void askForUsers()

  async function askForUsers(): Promise<void> {
    try {
      const user = (await (await me)?.clone().json()) as { is_superuser?: boolean } | undefined
      // The answer to anybody else would end their session.
      if (user?.is_superuser) void ask(`/api/v1/users/${rows}`)
    } catch {
      // The page finds out for itself.
    }
  }
}
