import { type LinkProps, useRouter } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { TextLink } from '@/components/link'
import { UserText } from '@/components/ui/user-text'
import { readDraft } from '@/data/drafts'
import { useLogInState } from '@/data/return-to'
import { useCurrentUser } from '@/data/api/current-user'
import { Overview } from './overview'

export function DashboardPage({ activity }: { activity: ReactNode }) {
  const user = useCurrentUser()
  return (
    <>
      <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight break-words">
        Hi, <UserText>{user.full_name || user.email}</UserText>
      </h1>
      <p className="text-muted-foreground">Welcome back, nice to see you again!</p>
      <ReturnLink />
      <Overview activity={activity} />
    </>
  )
}

function ReturnLink() {
  const user = useCurrentUser()
  const router = useRouter()
  const { returnTo, userId = user.id } = useLogInState()
  if (!returnTo || userId !== user.id || readDraft(user.id)) return null
  const { pathname, search } = returnTo
  const [, , route] = router.getMatchedRoutes(pathname)
  const { title, access } = route?.options.staticData ?? {}
  if (title === undefined || (access === 'superuser' && !user.is_superuser)) return null
  const target = { to: pathname, search } as LinkProps
  return (
    <p className="mt-4">
      <TextLink {...target}>
        Continue to {title}
        <ArrowRight aria-hidden className="ml-1 size-4" />
      </TextLink>
    </p>
  )
}
