import { useQueries, useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import {
  FileText,
  FileUp,
  Keyboard,
  KeyRound,
  List,
  LogOut,
  type LucideIcon,
  Palette,
  Plus,
  Search,
  Send,
  Settings,
  ShieldCheck,
  TriangleAlert,
  UserPlus,
} from 'lucide-react'
import { useTheme } from 'next-themes'
import { useState } from 'react'
import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import { type Choice, Combobox } from '@/components/combobox'
import { Dialog, DialogBody, type DialogControl } from '@/components/dialog/dialog'
import { Kbd } from '@/components/ui/kbd'
import { themes } from '@/components/themes'
import { type NeedsCapability, useCapabilities, useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import { logOut } from '@/data/api/log-out'
import { savesData } from '@/browser/network'
import { linkToRow, readRows, resources } from '@/data/resources'
import { useSearchText } from '@/data/use-search-text'
import { capitalize, hasWords, numberText } from '@/lib/text'
import { matchNote, rowName } from '@/lib/row-name'
import { peopleAndRows } from '@/lib/owned-rows'
import { useIcons, useNavigation } from '../navigation'
import { commandKey, type PaletteRequest } from '../palette-control'

const MAX_FOUND = 5

interface PaletteProps extends DialogControl {
  onKeys: () => void
  /** Closes the palette before another page or dialog opens. */
  onLeave: () => void
}

export function PaletteDialogs({ kind, onKeys, onLeave, ...control }: PaletteProps & Pick<PaletteRequest, 'kind'>) {
  if (kind === 'keys') return <KeysDialog {...control} />
  return <PaletteDialog {...control} onKeys={onKeys} onLeave={onLeave} />
}

function PaletteDialog({ onKeys, onLeave, ...control }: PaletteProps) {
  const [text, setText] = useState('')
  const router = useRouter()
  function go(href: string): void {
    onLeave()
    void router.navigate({ href })
  }
  const commands = useCommands({ ...control, onKeys, onLeave }, go)
  const rows = useRows(text)
  const has = (name: string): boolean => hasWords(name, text)
  const named = commands.filter(({ name }) => has(name))
  // Commands found by other words follow those found by their names.
  const meant = commands.filter(({ name, means = '' }) => !has(name) && has(`${name} ${means}`))
  const choices: Choice[] = [
    ...[...named, ...meant].map((command) => ({ ...command, id: `${command.group} ${command.name}` })),
    ...rows.found.map(({ href, ...row }) => ({
      ...row,
      id: href,
      onPreload: () => void (savesData() || router.preloadRoute({ to: '.', href })),
      onChoose: () => go(href),
    })),
  ]
  const nothing = rows.isSearching ? 'Searching…' : 'Nothing found'
  const status = rows.isFailed ? `${peopleAndRows} could not be searched.` : choices.length === 0 ? nothing : ''
  return (
    <Dialog {...control} title="Search and go to" hasSearchField width="form">
      <Search
        aria-hidden
        className="pointer-events-none absolute top-6 left-5 size-4 text-muted-foreground low:top-3.5"
      />
      <Combobox
        label="Search and go to"
        text={text}
        onText={setText}
        choices={choices}
        status={status}
        isOpen
        fieldClassName="h-16 w-full shrink-0 rounded-t-xl border-b border-input bg-background pr-16 pl-12 text-base outline-none placeholder:text-muted-foreground focus:border-ring focus:shadow-[inset_0_-1px_var(--color-ring)] low:h-11"
        listClassName="min-h-72 flex-1 overflow-hidden px-2 pb-2 low:min-h-0"
      />
      <p
        aria-hidden
        className="flex shrink-0 gap-4 border-t px-5 py-2 text-xs text-muted-foreground low:hidden pointer-coarse:hidden"
      >
        <span>
          <Kbd>↵</Kbd> Open
        </span>
        <span>
          <Kbd>Esc</Kbd> Close
        </span>
      </p>
    </Dialog>
  )
}

interface Command extends NeedsCapability, Omit<Choice, 'id'> {
  means?: string | undefined
}

/** Other words by which pages are found, and icons of pages that are not in the sidebar. */
const pageWords: Partial<Record<string, { means: string; icon?: LucideIcon }>> = {
  '/users': { means: 'people accounts' },
  '/audit': { means: 'history events export' },
  '/security': {
    means: 'passkeys two-step login two-factor 2fa authenticator app recovery codes sessions devices',
    icon: ShieldCheck,
  },
  '/settings': { means: 'profile account name email', icon: Settings },
}

function useCommands({ onClose, onKeys, onLeave }: PaletteProps, go: (href: string) => void): readonly Command[] {
  const router = useRouter()
  const user = useCurrentUser()
  const hasExports = useCapabilities().has('administration')
  const { setTheme } = useTheme()
  const link = (group: string, name: string, href: string, icon: LucideIcon, means?: string): Command => ({
    group,
    name,
    means,
    icon,
    onChoose: () => go(href),
  })

  const icons = new Map(useNavigation().flatMap(({ links }) => links.map(({ url, icon }) => [url as string, icon])))
  const paths = new Set([...icons.keys(), ...Object.keys(router.routesByPath)]) as Set<keyof typeof router.routesByPath>
  const pages = [...paths].flatMap((path): Command[] => {
    const { id, options } = router.routesByPath[path]
    const { title, access, needs, isList = false } = options.staticData ?? {}
    const isPage = id.startsWith('/_layout/') && !path.includes('$') && title !== undefined
    if (!isPage || (access === 'superuser' && !user.is_superuser)) return []
    const { means = '', icon = FileText } = pageWords[path] ?? {}
    const words = isList && hasExports ? `${means} export` : means
    return [{ ...link('Pages', title, path, icons.get(path) ?? icon, words), needs }]
  })
  const tab = (name: string, value: string, icon: LucideIcon, means?: string) =>
    link('Pages', `Settings: ${name}`, `/settings?tab=${value}`, icon, means)
  const add = (name: string, href: string, icon: LucideIcon, means?: string) => link('Actions', name, href, icon, means)
  return useOffered<Command>([
    ...pages,
    tab('Password', 'password', KeyRound),
    tab('Appearance', 'appearance', Palette, 'theme dark light'),
    ...(user.is_superuser ? [] : [tab('Danger Zone', 'dangerzone', TriangleAlert, 'delete account')]),
    ...resources.map(({ noun, to }) => add(`Add ${capitalize(noun)}`, `${to}?add`, Plus)),
    ...(user.is_superuser
      ? [
          add('Add User', '/users?add', UserPlus),
          { ...add('Invite User', '/users?invite', Send, 'people'), needs: 'administration' as const },
          { ...add('Import CSV', '/users?import', FileUp, 'users people invite'), needs: 'administration' as const },
        ]
      : []),
    { group: 'Actions', name: 'Keyboard shortcuts', means: 'keys help', icon: Keyboard, onChoose: onKeys },
    {
      group: 'Actions',
      name: 'Log out',
      means: 'logout sign out',
      icon: LogOut,
      onChoose: () => {
        onLeave()
        logOut()
      },
    },
    ...themes.map(({ value, label, icon }) => ({
      group: 'Theme',
      name: `Theme: ${label}`,
      icon,
      onChoose: () => {
        setTheme(value)
        onClose()
      },
    })),
  ])
}

type Found = Omit<Choice, 'id' | 'onChoose'> & { href: string }

function useRows(text: string): { found: Found[]; isSearching: boolean; isFailed: boolean } {
  const user = useCurrentUser()
  const router = useRouter()
  const iconOf = useIcons()
  const { q, isAsked, isEmpty } = useSearchText(text)
  const query = { q, limit: MAX_FOUND }
  const people = useQuery({ ...usersReadUsersOptions({ query }), enabled: isAsked && user.is_superuser })
  const owned = useQueries({
    queries: resources.map(({ tag }) => ({
      queryKey: [{ tags: [tag], found: q }],
      queryFn: ({ signal }: { signal: AbortSignal }) => readRows(tag, query, signal),
      enabled: isAsked,
    })),
  })
  const all = [people, ...owned]
  if (!isAsked) return { found: [], isSearching: !isEmpty, isFailed: false }
  function more(group: string, to: string, count = 0): Found[] {
    if (count <= MAX_FOUND) return []
    const href = `${to}?${new URLSearchParams({ q })}`
    return [{ group, href, icon: List, name: `Show all ${numberText(count)}` }]
  }
  return {
    found: [
      ...(people.data?.data ?? []).map(({ id, full_name, email }) => ({
        group: 'People',
        href: `/users/${id}`,
        person: { id, full_name, email },
        name: full_name ?? email,
        ...(full_name !== null && { note: email }),
      })),
      ...more('People', '/users', people.data?.count),
      ...resources.flatMap(({ tag, title, to }, index) => [
        ...(owned[index]?.data?.data ?? []).map((row) => ({
          group: title,
          href: router.buildLocation(linkToRow(tag, row.id)).href,
          icon: iconOf(to),
          name: rowName(row),
          note: matchNote(row, q),
        })),
        ...more(title, to, owned[index]?.data?.count),
      ]),
    ],
    isSearching: all.some(({ isFetching }) => isFetching),
    isFailed: all.some(({ isError }) => isError),
  }
}

function KeysDialog(control: DialogControl) {
  const command = commandKey()
  const keys = [
    [`${command} K`, 'Search and go to'],
    [`${command} B`, 'Show or hide the sidebar'],
    ['/', 'Search the list'],
    ['↓', 'From the search box into the rows, and to the next one'],
    ['Enter', 'Open the row'],
    ['X', 'Select or deselect the row, also with Space'],
    ['⇧ ↓', 'Select this row and the next one'],
    ['.', 'To the actions on what is selected'],
    ['Esc', 'Close, or clear the selection'],
    ['?', 'Show these shortcuts'],
  ] as const
  return (
    <Dialog {...control} title="Keyboard shortcuts">
      <DialogBody description="They do nothing while you type in a field.">
        <dl className="mb-6 grid grid-cols-[auto_1fr] items-center gap-x-4 gap-y-2">
          {keys.map(([key, text]) => (
            <div key={key} className="col-span-full grid grid-cols-subgrid items-center">
              <dt>
                <Kbd>{key}</Kbd>
              </dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </DialogBody>
    </Dialog>
  )
}
