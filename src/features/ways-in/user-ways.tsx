import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { SecondFactor, UserPublic } from '@/client/types.gen'
import { OpenButton } from '@/components/buttons'
import { QueryBoundary } from '@/components/query-boundary'
import { DescriptionItem, Facts, Section } from '@/components/section'
import type { OpenDialog } from '@/components/page-dialogs'
import { useCapabilities } from '@/data/api/capabilities'
import { useInstance } from '@/data/api/use-instance'
import { identitiesOf, secondFactorOf, sessionsOf } from '@/data/api/ways-in'
import { ApiTokens } from './api-tokens'
import { Identities } from './identities'
import { Sessions } from './sessions'
import { WaysSection } from './ways-section'

interface UserWaysProps {
  user: UserPublic
  open: OpenDialog<{ kind: 'end_sessions' | 'reset_second_factor'; id: string }>
  history: ReactNode
}

export function UserWays({ user, open, history }: UserWaysProps) {
  const { id } = user
  const instance = useInstance()
  const capabilities = useCapabilities()
  const sessions = useQuery(sessionsOf(id))
  const identities = useQuery({ ...identitiesOf(id), enabled: capabilities.has('company-accounts') })
  return (
    <>
      {(instance.isLoading || capabilities.has('second-factor')) && <UserSecondFactor user={user} open={open} />}
      <Sessions
        owner={user}
        endAll={
          <OpenButton open={open} dialog={{ kind: 'end_sessions', id }}>
            End All Sessions
          </OpenButton>
        }
      />
      <Identities owner={user} />
      <ApiTokens owner={user} />
      {/* Shown when the height of the lists above is known, so that it does not move. */}
      {!sessions.isPending && !identities.isLoading && <Section title="History">{history}</Section>}
    </>
  )
}

function UserSecondFactor({ user, open }: Pick<UserWaysProps, 'user' | 'open'>) {
  const { id } = user
  const query = useQuery(secondFactorOf(id))
  const { totp = false, passkeys = 0 }: Partial<SecondFactor> = query.data ?? {}
  return (
    <WaysSection
      owner={user}
      title="Two-step login"
      action={
        (totp || passkeys > 0) && (
          <OpenButton open={open} dialog={{ kind: 'reset_second_factor', id }}>
            Reset Second Factor
          </OpenButton>
        )
      }
    >
      <QueryBoundary query={query} absent="This server has no two-step login." waiting={<State />}>
        {(state) => <State state={state} />}
      </QueryBoundary>
    </WaysSection>
  )
}

function State({ state }: { state?: SecondFactor }) {
  return (
    <Facts>
      <DescriptionItem name="Authenticator App">{state && (state.totp ? 'Set up' : 'None')}</DescriptionItem>
      <DescriptionItem name="Recovery Codes Left">
        {state && (state.totp ? state.recovery_codes_left : null)}
      </DescriptionItem>
      <DescriptionItem name="Passkeys">{state && (state.passkeys || 'None')}</DescriptionItem>
      <DescriptionItem name="Required">{state && (state.required ? 'Yes' : 'No')}</DescriptionItem>
    </Facts>
  )
}
