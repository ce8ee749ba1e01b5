import { useQuery } from '@tanstack/react-query'
import { Search } from 'lucide-react'
import { useState } from 'react'
import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import type { UserPublic } from '@/client/types.gen'
import { type Choice, Combobox } from '@/components/combobox'
import { controlHeight, fieldClass, searchIcon } from '@/components/ui/classes'
import { eventGroups, resultName, resultsOf } from './audit-words'
import { useSearchText } from '@/data/use-search-text'
import { hasWords } from '@/lib/text'
import { toText } from '@/lib/search-params'
import type { AuditSearch } from './audit-queries'

const MAX_FOUND = 5

interface AuditFinderProps {
  search: AuditSearch
  onChoose: (filter: Partial<AuditSearch>, user?: UserPublic) => void
}

export function AuditFinder({ search: { action, result = '' }, onChoose }: AuditFinderProps) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { q, isAsked } = useSearchText(text)
  const query = useQuery({
    ...usersReadUsersOptions({ query: { q, limit: MAX_FOUND } }),
    enabled: isOpen && isAsked,
  })
  const users = isAsked ? (query.data?.data ?? []) : []
  const typed = toText(text)

  const choice = (group: string, name: string, filter: Partial<AuditSearch>, user?: UserPublic): Choice => ({
    id: JSON.stringify(filter),
    group,
    name,
    note: user?.full_name ? user.email : undefined,
    onChoose: () => {
      setText('')
      setOpen(false)
      onChoose(filter, user)
    },
  })
  const ofResults = (group: string, results: readonly string[]) =>
    results.map((value) => choice(group, resultName(value), { result: value }))
  const [done = 'done', failed, ...reasons] = resultsOf(action)
  const events = Object.entries(eventGroups).flatMap(([group, names]) =>
    Object.entries(names).map(([value, name]) =>
      choice(group, name, { action: value, result: resultsOf(value).includes(result) ? result : undefined }),
    ),
  )
  const named = [
    ...ofResults('Result', failed === undefined ? [done] : [failed, done]),
    ...events,
    ...ofResults('Reason of a failure', reasons),
  ].filter(({ name, group }) => hasWords(`${name} ${group}`, text))
  const people = (group: string, filter: 'actor_id' | 'subject_id') =>
    users.map((user) => choice(group, user.full_name ?? user.email, { [filter]: user.id }, user))
  const details = typed === undefined ? [] : [choice('Details', `Details contain “${typed}”`, { q: typed })]

  return (
    <div className="relative min-w-40 grow basis-0 columns:max-w-96">
      <Search aria-hidden className={searchIcon} />
      <Combobox
        fieldClassName={`${fieldClass} ${controlHeight} pl-9 text-ellipsis`}
        label="Find events, people or details"
        text={text}
        onText={(value) => {
          setText(value)
          setOpen(true)
        }}
        choices={[...named, ...people('Done by', 'actor_id'), ...people('Done to', 'subject_id'), ...details]}
        status={query.isError && isAsked ? 'People could not be searched.' : ''}
        isOpen={isOpen}
        onOpen={() => setOpen(true)}
        onLeave={() => setOpen(false)}
        listClassName="absolute top-full left-0 z-30 mt-1 max-h-96 w-full min-w-[min(18rem,100cqw)] rounded-lg border raised pb-1 shadow-lg"
      />
    </div>
  )
}
