import { prefetch } from './prefetch'
import { holdHandover, readHandover } from '../data/handover'
import { holdEvents } from '../data/held-events'
import { prefetchUrl, type Screen, screenPath, screens } from '../lib/screens'
import { companyLabel, companyOnly, instanceOfPage, withCompany } from '../data/page-instance'
import { getToken } from '../data/session'
import { isSlow } from '../browser/network'
import { tryStorage } from '../browser/try-storage'
import { readSidebarExpanded } from '@/features/shell/sidebar-cookie'

// The script in the head of index.html, which runs before the first paint. scripts/spa-html.ts inlines it.

/** The files of each screen besides the entry. The build sets this. */
declare const FILES: Partial<Record<string, string[]>>

/** The address of the font, empty during development. */
declare const FONT: string

declare const BACKGROUNDS: Record<'light' | 'dark', string>

const { dataset, classList } = document.documentElement
const token = getToken()

holdHandover()
setTheme()
chooseFont()
addEventListener('error', reportLoadFailure, { capture: true })
prepare(screenPath(location.pathname))

function setTheme(): void {
  const theme = tryStorage(() => localStorage.getItem('theme'))
  const isDark = theme === 'dark' || (theme !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches)
  classList.add(isDark ? 'dark' : 'light')
  colorWindow()
  new MutationObserver(colorWindow).observe(document.documentElement, { attributeFilter: ['class'] })
}

/** Sets the colour of the browser's bars to the background of the page. */
function colorWindow(): void {
  const meta = document.querySelector<HTMLMetaElement>('meta[name=theme-color]')
  if (meta) meta.content = BACKGROUNDS[classList.contains('dark') ? 'dark' : 'light']
}

/** On a slow network, the font would arrive after the first text, and the page would not show it. */
function chooseFont(): void {
  if (isSlow()) dataset.slow = ''
  else if (FONT) load('preload', FONT, { as: 'font', type: 'font/woff2' })
}

/** Shows an error, because the prerendered page does not work without the application's code. */
function reportLoadFailure({ target }: Event): void {
  if (!(target instanceof HTMLScriptElement)) return
  const alert = document.createElement('p')
  alert.role = 'alert'
  alert.className = 'fixed inset-x-0 top-0 z-60 bg-destructive p-3 text-center text-destructive-foreground'
  alert.append('This page could not be loaded completely. Check your connection. ')
  const link = document.createElement('a')
  Object.assign(link, { href: '', textContent: 'Reload', className: 'inline-block min-h-6 font-medium underline' })
  alert.append(link)
  document.body.prepend(alert)
}

function prepare(path: string): void {
  const screen: Screen | undefined = (screens as Record<string, Screen>)[path]
  const isGuestScreen = screen?.access === 'guest'
  if (token === null) {
    const shown = isGuestScreen ? path : '/login'
    // The message about an incomplete link is not prerendered.
    if (!screen || (screen.takesToken && !new URLSearchParams(location.search).get('token'))) return
    preload(shown)
    const { oidc, link } = readHandover()
    // With such a code, the page logs in without showing a form.
    if (oidc !== undefined || link !== undefined) return
    dataset.prerendered = shown === '/login' ? nameOfLogIn() : shown
    holdEvents()
  } else if (screen && !isGuestScreen) {
    preload(path)
    dataset.prerendered = readSidebarExpanded() ? 'expanded' : 'collapsed'
    if (screen.isEmptyAtFirst) dataset.emptyAtFirst = ''
    void prefetchPage(`Bearer ${token}`, screen)
  }
}

/** The name of the prerendered page that matches this server's ways to log in. */
function nameOfLogIn(): string {
  const { oidc, password_log_in } = instanceOfPage()
  if (!oidc) return '/login'
  dataset.company = companyLabel(oidc.name)
  return password_log_in === false ? companyOnly : withCompany
}

function preload(path: string): void {
  for (const href of FILES[path] ?? []) load('modulepreload', href)
}

function load(rel: string, href: string, attributes?: object): void {
  const link = document.createElement('link')
  Object.assign(link, { rel, crossOrigin: '', ...attributes, href })
  document.head.append(link)
}

async function prefetchPage(bearer: string, screen: Screen): Promise<void> {
  const send = (url: string) => prefetch((import.meta.env.VITE_API_URL || location.origin) + url, bearer)
  const me = send('/api/v1/users/me')
  const url = prefetchUrl(screen, location.search)
  if (url === undefined) return
  if (screen.access === 'superuser') {
    try {
      const user = (await (await me)?.clone().json()) as { is_superuser?: boolean } | undefined
      // A 403 would end the session of a user who may not see the page.
      if (!user?.is_superuser) return
    } catch {
      return
    }
  }
  void send(url)
}
