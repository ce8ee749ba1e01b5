import type { ReactNode } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { Link } from '@/components/link'
import { Section, TwoColumnSection } from '@/components/section'
import { textLink } from '@/components/ui/classes'
import { useCurrentUser } from '@/data/api/current-user'

/** `me` on the security page, or the user on the page of a user. */
export type Owner = 'me' | UserPublic

export const idOf = (owner: Owner): string => (owner === 'me' ? 'me' : owner.id)

/** Superusers cannot change their own account on its user page, but only on the security page. */
export function useMayChange(owner: Owner): boolean {
  const { id } = useCurrentUser()
  return owner === 'me' || owner.id !== id
}

interface WaysSectionProps {
  owner: Owner
  title: string
  text?: string
  action?: ReactNode
  /** The text of a link to the security page, which replaces `action`. */
  link: string
  children: ReactNode
}

export function WaysSection({ owner, title, text = '', action, link, children }: WaysSectionProps) {
  const mayChange = useMayChange(owner)
  if (owner === 'me')
    return (
      <TwoColumnSection title={title} text={text} action={action}>
        {children}
      </TwoColumnSection>
    )
  const ownPage = (
    <Link to="/security" className={textLink}>
      {link}
    </Link>
  )
  return (
    <Section title={title} action={mayChange ? action : ownPage}>
      {children}
    </Section>
  )
}

/** The frame of a section without a list. */
export function WaysRow({ children, actions }: { children: ReactNode; actions: ReactNode }) {
  return (
    <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-3 rounded-lg border px-4 py-3 max-md:flex-col max-md:items-start">
      <div className="min-w-0">{children}</div>
      <div className="flex flex-wrap gap-2">{actions}</div>
    </div>
  )
}
