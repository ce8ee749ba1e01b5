import { useKnownInstance } from '@/data/api/instance'
import { AuthLink, AuthPage } from './auth-page'

export function NoPasswords({ title }: { title: string }) {
  const { oidc } = useKnownInstance()
  return (
    <AuthPage
      title={title}
      text={`Log-in with a password is turned off. Log in with ${oidc?.name ?? 'another account'}.`}
    >
      <AuthLink text="" to="/login">
        Log In
      </AuthLink>
    </AuthPage>
  )
}
