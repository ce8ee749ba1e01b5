import { useState } from 'react'
import { Tabs } from '@/components/ui/tabs'
import type { Side } from './audit-table'
import { History } from './history'

const sides: { value: Side; label: string }[] = [
  { value: 'subject_id', label: 'About this user' },
  { value: 'actor_id', label: 'By this user' },
]

export function UserHistory({ userId }: { userId: string }) {
  const [shown, setShown] = useState<Side>('subject_id')
  const tabs = sides.map(({ value, label }) => ({
    value,
    label,
    content: (
      <History of={value === 'actor_id' ? { actor_id: userId } : { subject_id: userId }} isShown={value === shown} />
    ),
  }))
  return <Tabs label="Which entries" value={shown} onValueChange={setShown} tabs={tabs} />
}
