import { type ReactNode, useId } from 'react'
import type { UserPublic } from '@/client/types.gen'
import type { OpenDialog } from '@/components/use-dialog'
import type { UserDialog } from './users-search'

/** Of a section of a user's page. */
export interface PartProps {
  user: UserPublic
  isSelf: boolean
  open: OpenDialog<UserDialog>
}

export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

export function DescriptionItem({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="text-xs text-muted-foreground">{name}</dt>
      <dd className="mt-0.5 min-h-lh wrap-anywhere">{children}</dd>
    </div>
  )
}
