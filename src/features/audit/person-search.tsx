import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usersReadUsersOptions } from '@/client/@tanstack/react-query.gen'
import type { UserPublic } from '@/client/types.gen'
import { type Choice, Combobox } from '@/components/combobox'
import { toText } from '@/lib/search-params'
import { useSearchText } from '@/data/use-search-text'

const MAX_FOUND = 5

type Party = 'actor_id' | 'subject_id'

/** Finds an account by its name or address, for the entries of what it did or of what was done to it. */
export function PersonSearch({ onChoose }: { onChoose: (filter: Party, user: UserPublic) => void }) {
  const [text, setText] = useState('')
  const [isOpen, setOpen] = useState(false)
  const { q, isAsked } = useSearchText(text)
  const query = useQuery({
    ...usersReadUsersOptions({ query: { q, limit: MAX_FOUND } }),
    enabled: isOpen && isAsked,
  })
  const users = isAsked ? (query.data?.data ?? []) : []

  const choicesOf = (filter: Party, group: string): Choice[] =>
    users.map((user) => ({
      id: `${filter} ${user.id}`,
      group,
      name: user.full_name ?? user.email,
      note: user.full_name === null ? undefined : user.email,
      onChoose: () => {
        setText('')
        setOpen(false)
        onChoose(filter, user)
      },
    }))

  return (
    <div className="relative min-w-40 grow basis-0 columns:max-w-96">
      <Combobox
        label="Find a person"
        text={text}
        onText={(value) => {
          setText(value)
          setOpen(toText(value) !== undefined)
        }}
        choices={[...choicesOf('actor_id', 'Done by'), ...choicesOf('subject_id', 'Done to')]}
        status={statusOf(query.isError, isAsked && query.isSuccess, users.length)}
        isOpen={isOpen}
        onLeave={() => setOpen(false)}
        listClassName="absolute top-full left-0 z-30 mt-1 max-h-80 w-full min-w-72 rounded-lg border raised pb-1 shadow-lg"
      />
    </div>
  )
}

function statusOf(isFailed: boolean, isFound: boolean, count: number): string {
  if (isFailed) return 'People could not be searched.'
  if (!isFound) return 'Searching…'
  return count === 0 ? 'Nobody found' : ''
}
