import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { usersBeginTotp } from '@/client/sdk.gen'
import type { SecondFactor, TotpSecret } from '@/client/types.gen'
import { Refusal } from '@/components/dialog/dialog-if-present'
import { QueryBoundary } from '@/components/query-boundary'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { type OpenDialog, usePageDialogs } from '@/components/page-dialogs'
import { useCapabilities } from '@/data/api/capabilities'
import { secondFactorOf } from '@/data/api/ways-in'
import { useRequest } from '@/data/api/use-request'
import { countText } from '@/lib/range-text'
import { WaysFrame, WaysSkeleton } from '../ways-section'
import { type SecondFactorDialog, secondFactorDialogs } from '../ways-in-search'
import { TwoColumnSection } from '@/components/section'
import { NewCodesDialog, SetUpDialog, TurnOffDialog } from './second-factor-dialogs'

const FEW_CODES = 3

export function OwnSecondFactor() {
  const [secret, setSecret] = useState<TotpSecret | null>(null)
  const query = useQuery({ ...secondFactorOf('me'), enabled: useCapabilities().has('second-factor') })
  const { open, shown } = usePageDialogs(secondFactorDialogs, ({ dialog, control }) => {
    if (dialog.kind === 'new_codes') return <NewCodesDialog {...control} />
    if (dialog.kind === 'turn_off') return <TurnOffDialog {...control} />
    // After a reload, or by a link, the dialog can be open without a secret.
    return secret ? <SetUpDialog {...control} secret={secret} /> : <Refusal control={control} />
  })
  return (
    <>
      <TwoColumnSection title="Two-step login" text="After your password, you enter a code of an app on your phone.">
        <QueryBoundary query={query} absent="This server has no two-step login." waiting={<WaysSkeleton />}>
          {(state) => <State state={state} open={open} onSecret={setSecret} />}
        </QueryBoundary>
      </TwoColumnSection>
      {shown}
    </>
  )
}

interface StateProps {
  state: SecondFactor
  open: OpenDialog<SecondFactorDialog>
  onSecret: (secret: TotpSecret) => void
}

function State({ state, open, onSecret }: StateProps) {
  const { totp, passkeys, recovery_codes_left: left, required } = state
  const hasFewCodes = totp && left <= FEW_CODES
  const begin = useRequest<TotpSecret, HTMLElement>(
    { mutationFn: async () => (await usersBeginTotp()).data },
    {
      onSuccess: (begun, opener) => {
        onSecret(begun)
        open({ kind: 'set_up' }, opener)
      },
    },
  )
  return (
    <>
      {hasFewCodes && (
        <Alert className="mb-4">
          <span>
            {left === 0 ? 'You have no recovery codes left.' : `Only ${countText(left, 'recovery code')} left.`}
          </span>{' '}
          Without them you cannot log in when you lose your phone. Make new ones.
        </Alert>
      )}
      <WaysFrame
        actions={
          totp ? (
            <>
              <Button
                variant={hasFewCodes ? 'primary' : 'secondary'}
                onClick={({ currentTarget }) => open({ kind: 'new_codes' }, currentTarget)}
              >
                New Recovery Codes
              </Button>
              <Button variant="secondary" onClick={({ currentTarget }) => open({ kind: 'turn_off' }, currentTarget)}>
                Turn Off
              </Button>
            </>
          ) : (
            <Button pending={begin.pending} onClick={({ currentTarget }) => begin.send(currentTarget)}>
              Set Up
            </Button>
          )
        }
        head={
          <>
            <Badge variant={totp ? 'success' : 'secondary'}>{totp ? 'On' : 'Off'}</Badge>
            <span>
              {(totp ? `${countText(left, 'recovery code')} left` : 'No authenticator app is set up.') +
                (required ? (totp || passkeys > 0 ? ' · Required here' : ' Your account needs one to log in.') : '')}
            </span>
          </>
        }
      />
    </>
  )
}
