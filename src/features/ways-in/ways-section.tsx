import type { ReactNode } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { TextLink } from '@/components/link'
import { Section, TwoColumnSection } from '@/components/section'
import { SkeletonOf } from '@/components/skeleton'
import { controlHeight } from '@/components/ui/classes'
import { useCurrentUser } from '@/data/api/current-user'

/** `me` on the security page, or the user on the page of a user. */
export type Owner = 'me' | UserPublic

export const idOf = (owner: Owner): string => (owner === 'me' ? 'me' : owner.id)

/** Superusers cannot change their own account on its user page, but only on the security page. */
export function useMayChange(owner: Owner): boolean {
  const { id } = useCurrentUser()
  return owner === 'me' || owner.id !== id
}

export interface WaysSectionProps {
  owner: Owner
  title: string
  text?: string
  /** What superusers can do on the page of a user. */
  action?: ReactNode
  /** The text of a link to the security page, which replaces `action` on the own page of a superuser. */
  link?: string
  children: ReactNode
}

export function WaysSection({
  owner,
  title,
  text = '',
  action,
  link = 'Your security page',
  children,
}: WaysSectionProps) {
  const mayChange = useMayChange(owner)
  if (owner === 'me')
    return (
      <TwoColumnSection title={title} text={text}>
        {children}
      </TwoColumnSection>
    )
  const ownPage = <TextLink to="/security">{link}</TextLink>
  return (
    <Section title={title} action={mayChange ? action : ownPage}>
      {children}
    </Section>
  )
}

interface WaysFrameProps {
  /** The first row, such as the state of the section or the number of its entries. */
  head?: ReactNode
  actions?: ReactNode
  children?: ReactNode
}

export function WaysFrame({ head, actions, children }: WaysFrameProps) {
  return (
    <div className="divide-y rounded-lg border px-4">
      {head && (
        <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 py-3 max-md:flex-col max-md:items-start">
          <p className="flex min-w-0 flex-wrap items-center gap-2 text-muted-foreground">{head}</p>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </div>
  )
}

export function WaysSkeleton() {
  return (
    <SkeletonOf>
      <WaysFrame head="…" actions={<span className={controlHeight} />} />
    </SkeletonOf>
  )
}
