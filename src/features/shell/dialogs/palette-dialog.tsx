import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { FileText, Keyboard, type LucideIcon, Plus, Send, User } from 'lucide-react'
import { useTheme } from 'next-themes'
import { useState } from 'react'
import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import { type Choice, Combobox } from '@/components/combobox'
import { Dialog, DialogBody } from '@/components/dialog/dialog'
import { themes } from '@/components/themes'
import { hasCapabilities, useCurrentUser } from '@/data/api/current-user'
import { savesData } from '@/data/preload'
import { resources } from '@/data/resources'
import { useSearchText } from '@/data/use-search-text'
import { navigationFor } from '../navigation'
import { commandKey, type PaletteControl } from '../palette-control'

const MAX_FOUND = 5

interface PaletteProps extends PaletteControl {
  kind: 'palette' | 'keys'
  /** Opens the list of keys. */
  onKeys: () => void
}

export function PaletteDialogs({ kind, ...props }: PaletteProps) {
  return kind === 'palette' ? <PaletteDialog {...props} /> : <KeysDialog {...props} />
}

/** Finds people, items, pages and actions. */
function PaletteDialog({ onKeys, ...control }: Omit<PaletteProps, 'kind'>) {
  const [text, setText] = useState('')
  const commands = useCommands(control, onKeys)
  const rows = useRows(text)
  const words = fold(text).split(/\s+/)
  const chosen = commands.filter(({ name }) => words.every((word) => fold(name).includes(word)))
  const go = useGo(control)
  const router = useRouter()
  const preload = (href: string) => void (savesData() || router.preloadRoute({ to: '.', href }))
  const choices: Choice[] = [
    ...chosen.map(({ run, ...command }) => ({ ...command, id: `${command.group} ${command.name}`, onChoose: run })),
    ...rows.found.map(({ href, ...row }) => ({
      ...row,
      id: href,
      icon: row.group === 'People' ? User : FileText,
      onIntent: () => preload(href),
      onChoose: () => go(href),
    })),
  ]
  const nothing = rows.isSearching ? 'Searching…' : 'Nothing found'
  const status = rows.isFailed ? 'People and items could not be searched.' : choices.length === 0 ? nothing : ''
  return (
    <Dialog {...control} title="Search and go to" hasFixedTop>
      <DialogBody description="People, items, pages and actions.">
        <Combobox
          label="Search and go to"
          text={text}
          onText={setText}
          choices={choices}
          status={status}
          isOpen
          listClassName="-mx-3 mt-1 min-h-72 pb-4"
        />
      </DialogBody>
    </Dialog>
  )
}

interface Command {
  group: string
  name: string
  icon: LucideIcon
  run: () => void
}

/** Opens another page or dialog. */
function useGo({ onLeave }: PaletteControl) {
  const router = useRouter()
  return (href: string): void => {
    onLeave()
    void router.navigate({ href })
  }
}

/** The pages and dialogs that the user may open, from the routes and resources, and the themes. */
function useCommands(control: PaletteControl, onKeys: () => void): Command[] {
  const router = useRouter()
  const user = useCurrentUser()
  const isCapable = hasCapabilities(user)
  const go = useGo(control)
  const { setTheme } = useTheme()

  const icons = new Map(navigationFor(user).flatMap(({ links }) => links.map(({ url, icon }) => [url as string, icon])))
  // In the order of the sidebar, then the others.
  const paths = new Set([...icons.keys(), ...Object.keys(router.routesByPath)]) as Set<keyof typeof router.routesByPath>
  const pages = [...paths].flatMap((path): Command[] => {
    const { id, options } = router.routesByPath[path]
    const { title, access, needsCapabilities = false } = options.staticData ?? {}
    const isPage = id.startsWith('/_layout/') && !path.includes('$') && title !== undefined
    if (!isPage || (access === 'superuser' && !user.is_superuser) || (needsCapabilities && !isCapable)) return []
    return [{ group: 'Pages', name: title, icon: icons.get(path) ?? FileText, run: () => go(path) }]
  })
  const add = (name: string, href: string, icon = Plus): Command => ({
    group: 'Actions',
    name,
    icon,
    run: () => go(href),
  })
  return [
    ...pages,
    ...resources.map(({ noun, to }) => add(`Add ${noun.charAt(0).toUpperCase()}${noun.slice(1)}`, `${to}?add`)),
    ...(user.is_superuser ? [add('Add User', '/users?add', User)] : []),
    ...(user.is_superuser && isCapable ? [add('Invite User', '/users?invite', Send)] : []),
    { group: 'Actions', name: 'Show Keys', icon: Keyboard, run: onKeys },
    ...themes.map(({ value, label, icon }) => ({
      group: 'Theme',
      name: `Theme: ${label}`,
      icon,
      run: () => {
        setTheme(value)
        control.onClose()
      },
    })),
  ]
}

interface Found {
  group: string
  href: string
  name: string
  note?: string
}

/** People and rows of all resources whose texts contain the words. */
function useRows(text: string): { found: Found[]; isSearching: boolean; isFailed: boolean } {
  const user = useCurrentUser()
  const { q, isAsked, isEmpty } = useSearchText(text)
  const query = { q, limit: MAX_FOUND }
  const people = useQuery({ ...usersReadUsersOptions({ query }), enabled: isAsked && user.is_superuser })
  const owned = useQueries({
    queries: resources.map(({ tag, read }) => ({
      queryKey: [{ tags: [tag], found: q }],
      queryFn: async ({ signal }: { signal: AbortSignal }) => (await read({ query, signal })).data.data,
      enabled: isAsked,
    })),
  })
  const all = [people, ...owned]
  if (!isAsked) return { found: [], isSearching: !isEmpty, isFailed: false }
  return {
    found: [
      ...(people.data?.data ?? []).map(({ id, full_name, email }) => ({
        group: 'People',
        href: `/users/${id}`,
        name: full_name ?? email,
        ...(full_name !== null && { note: email }),
      })),
      ...resources.flatMap(({ title, to }, index) =>
        (owned[index]?.data ?? []).map((row) => ({ group: title, href: `${to}?edit=${row.id}`, name: nameOf(row) })),
      ),
    ],
    isSearching: all.some(({ isFetching }) => isFetching),
    isFailed: all.some(({ isError }) => isError),
  }
}

/** The first field is the name of a row. */
function nameOf(row: object): string {
  return String(Object.entries(row).find(([field, value]) => field !== 'id' && typeof value === 'string')?.[1] ?? '')
}

const fold = (text: string): string => text.normalize('NFKD').replaceAll(/\p{M}/gu, '').trim().toLowerCase()

/** The keys that act everywhere or in a list. */
function KeysDialog({ onKeys: _, ...control }: Omit<PaletteProps, 'kind'>) {
  const command = commandKey()
  const keys = [
    [`${command} K`, 'Search and go to'],
    [`${command} B`, 'Show or hide the sidebar'],
    ['/', 'Search the list'],
    ['↓', 'From the search box into the rows, and to the next one'],
    ['Enter', 'Open the row'],
    ['X', 'Select the row, or remove it; Space does the same'],
    ['⇧ ↓', 'Select this row and the next one'],
    ['.', 'To the actions on what is selected'],
    ['Esc', 'Close, or clear the selection'],
    ['?', 'Show the keys'],
  ] as const
  return (
    <Dialog {...control} title="Keys">
      <DialogBody description="While you type, letters and signs are only text.">
        <dl className="mb-6 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
          {keys.map(([key, text]) => (
            <div key={key} className="col-span-full grid grid-cols-subgrid items-center">
              <dt>
                <kbd className="rounded border bg-surface px-1.5 py-0.5 font-mono text-xs">{key}</kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
    </Dialog>
  )
}
