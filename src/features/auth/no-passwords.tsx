import { useKnownInstance } from '@/data/api/instance'
import { AuthLink, AuthPage } from './auth-page'

export function NoPasswords({ title }: { title: string }) {
  const { oidc } = useKnownInstance()
  return (
    <AuthPage
      title={title}
      text={`There are no passwords here. People log in with ${oidc?.name ?? 'another account'}.`}
    >
      <AuthLink text="" to="/login">
        Log In
      </AuthLink>
    </AuthPage>
  )
}
