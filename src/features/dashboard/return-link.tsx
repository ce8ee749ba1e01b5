import { type LinkProps, useRouter } from '@tanstack/react-router'
import { ArrowRight } from 'lucide-react'
import { Link } from '@/components/link'
import { textLink } from '@/components/ui/classes'
import { useCurrentUser } from '@/data/api/current-user'
import type { LogInState } from '@/data/return-to'
import { readDraft } from '@/data/drafts'

export function ReturnLink({ logInState }: { logInState: LogInState }) {
  const user = useCurrentUser()
  const router = useRouter()
  const { returnTo, userId = user.id } = logInState
  if (!returnTo || userId !== user.id || readDraft(user.id)) return null
  const { pathname, search } = returnTo
  const [, , route] = router.getMatchedRoutes(pathname)
  const { title, access } = route?.options.staticData ?? {}
  if (title === undefined || (access === 'superuser' && !user.is_superuser)) return null
  const target = { to: pathname, search } as LinkProps
  return (
    <p className="mt-4">
      <Link {...target} className={textLink}>
        Continue to {title}
        <ArrowRight aria-hidden className="ml-1 size-4" />
      </Link>
    </p>
  )
}
