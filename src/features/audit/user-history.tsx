import { useState } from 'react'
import { Tabs } from '@/components/ui/tabs'
import type { Side } from './audit-table'
import { History } from './history'

export function UserHistory({ userId }: { userId: string }) {
  const [shown, setShown] = useState<Side>('subject_id')
  const about = <History of={{ subject_id: userId }} isShown={shown === 'subject_id'} />
  const by = <History of={{ actor_id: userId }} isShown={shown === 'actor_id'} />
  return (
    <Tabs
      label="Which entries"
      value={shown}
      onValueChange={setShown}
      tabs={[
        { value: 'subject_id', label: 'About this user', content: about },
        { value: 'actor_id', label: 'By this user', content: by },
      ]}
    />
  )
}
