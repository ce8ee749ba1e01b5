import { useQuery } from '@tanstack/react-query'
import type { SecondFactor } from '@/client/types.gen'
import { Link } from '@/components/link'
import { NotAvailable } from '@/components/list/data-table'
import { QueryBoundary } from '@/components/query-boundary'
import { textLink } from '@/components/ui/classes'
import { Button } from '@/components/ui/button'
import { useInstance } from '@/data/api/use-instance'
import { secondFactorOf } from './users-queries'
import { DescriptionItem, Facts, type PartProps, Section } from './user-section'

/** What a user has besides the password; nothing where the back end has no two-step log-in. */
export function SecondFactor(props: PartProps) {
  return (
    <QueryBoundary query={useInstance()} absent={null} waiting={<Part {...props} />}>
      {({ second_factor }) => second_factor !== undefined && <Part {...props} />}
    </QueryBoundary>
  )
}

function Part({ user: { id }, isSelf, open }: PartProps) {
  const query = useQuery(secondFactorOf(id))
  const { totp = false, passkeys = 0 } = query.data ?? {}
  const action = isSelf ? (
    <Link to="/security" className={textLink}>
      Your security page
    </Link>
  ) : (
    (totp || passkeys > 0) && (
      <Button variant="secondary" onClick={(event) => open({ kind: 'reset_second_factor', id }, event.currentTarget)}>
        Reset Second Factor
      </Button>
    )
  )
  return (
    <Section title="Two-step login" action={action}>
      <QueryBoundary query={query} absent="This server has no two-step login." waiting={<State />}>
        {(state) => <State state={state} />}
      </QueryBoundary>
    </Section>
  )
}

/** @param state absent while it loads */
function State({ state }: { state?: SecondFactor }) {
  return (
    <Facts>
      <DescriptionItem name="Authenticator App">{state && (state.totp ? 'Set up' : 'None')}</DescriptionItem>
      <DescriptionItem name="Recovery Codes Left">
        {state && (state.totp ? state.recovery_codes_left : <NotAvailable />)}
      </DescriptionItem>
      <DescriptionItem name="Passkeys">{state && (state.passkeys || 'None')}</DescriptionItem>
      <DescriptionItem name="Required">{state && (state.required ? 'Yes' : 'No')}</DescriptionItem>
    </Facts>
  )
}
