import { useQueryClient } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import { loginConfirmEmail } from '@/client/sdk.gen'
import { DisappearingButton } from '@/components/buttons'
import { Link } from '@/components/link'
import { Alert } from '@/components/ui/alert'
import { buttonClass } from '@/components/ui/button'
import { currentUserOptions } from '@/data/api/current-user'
import { isLinkRefused, isOfOtherAccount } from '@/data/api/errors'
import { useRequest } from '@/data/api/use-request'
import { AuthPage, LogOutFirst, InlineLink } from './auth-page'

const route = getRouteApi('/_auth/confirm-email')

const title = 'Confirm Email'

/** Confirms an address only after a click, because mail scanners open links, and only for the account that asked. */
export function ConfirmEmailPage() {
  const { token } = route.useSearch()
  const { isLoggedIn } = route.useRouteContext()
  if (token === undefined)
    return (
      <AuthPage title={title}>
        <Alert>
          This link is incomplete, so no address can be confirmed with it. Please open the link in the mail again.
        </Alert>
      </AuthPage>
    )
  if (isLoggedIn) return <ConfirmEmail token={token} />
  const returnTo = { pathname: '/confirm-email', search: { token } }
  return (
    <AuthPage title={title} text="Log in to confirm your address.">
      {/* Its press is held, because only the router passes on where to return to. */}
      <Link
        to="/login"
        state={{ logInState: { returnTo } }}
        data-hold
        className={buttonClass('primary', 'default', 'w-full')}
      >
        Log In
      </Link>
    </AuthPage>
  )
}

function ConfirmEmail({ token }: { token: string }) {
  const navigate = useNavigate()
  const queryClient = useQueryClient()
  const confirm = useRequest({
    mutationFn: () => loginConfirmEmail({ body: { token } }),
    meta: { success: 'The address is confirmed.' },
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })
      return navigate({ to: '/' })
    },
  })
  if (isOfOtherAccount(confirm.error))
    return (
      <AuthPage title={title} text="This link belongs to another account.">
        <LogOutFirst />
      </AuthPage>
    )
  return (
    <AuthPage title={title} text="Continue only if this account is yours.">
      {isLinkRefused(confirm.error) && (
        <Alert role="alert" className="mb-6">
          This link was used before or is too old. If you already confirmed it, there is nothing to do. Otherwise, get a
          new one on your <InlineLink to="/">dashboard</InlineLink>.
        </Alert>
      )}
      <DisappearingButton pending={confirm.pending} className="w-full" onClick={() => confirm.send()}>
        Confirm
      </DisappearingButton>
    </AuthPage>
  )
}
