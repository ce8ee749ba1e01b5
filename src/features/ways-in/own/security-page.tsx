import { useQueryClient } from '@tanstack/react-query'
import { Link } from '@/components/link'
import { Needs } from '@/components/needs'
import { PageHeader } from '@/components/page-header'
import { buttonClass } from '@/components/ui/button'
import { knownCapabilities } from '@/data/api/capabilities'
import { canUsePasskeys } from '@/data/api/instance'
import { useInstance } from '@/data/api/use-instance'
import { useHasPassword } from '@/data/api/ways-in'
import { ApiTokens } from '../api-tokens'
import { Identities } from '../identities'
import { Sessions } from '../sessions'
import { WaysFrame } from '../ways-section'
import { TwoColumnSection } from '@/components/section'
import { OwnPasskeys } from './passkeys'
import { OwnSecondFactor } from './second-factor'

export function SecurityPage() {
  const instance = useInstance()
  // The context may still be older than the instance, and sections would appear late.
  const capabilities = knownCapabilities(useQueryClient())
  return (
    <>
      <PageHeader title="Security" description="How you log in, and where you are logged in." />
      <div className="mt-6">
        <Needs capability="passwords">
          <Password />
        </Needs>
        {(instance.isLoading ? canUsePasskeys() : capabilities.has('passkeys')) && <OwnPasskeys />}
        {(instance.isLoading || capabilities.has('second-factor')) && <OwnSecondFactor />}
        <Identities owner="me" />
        <Needs capability="administration">
          <ApiTokens owner="me" />
        </Needs>
        {/* Last, because it moves what is below when there is more than one session. */}
        <Sessions owner="me" />
      </div>
    </>
  )
}

function Password() {
  const hasPassword = useHasPassword() !== false
  return (
    <TwoColumnSection title="Password" text="A new password logs you out everywhere else.">
      <WaysFrame
        head={
          <span>{hasPassword ? 'You log in with your email and a password.' : 'Your account has no password.'}</span>
        }
        actions={
          <Link to="/settings" search={{ tab: 'password' }} className={buttonClass('secondary')}>
            {hasPassword ? 'Change Password' : 'Set Password'}
          </Link>
        }
      />
    </TwoColumnSection>
  )
}
