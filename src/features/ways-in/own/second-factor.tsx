import { useQuery } from '@tanstack/react-query'
import { usersBeginTotp } from '@/client/sdk.gen'
import type { SecondFactor } from '@/client/types.gen'
import { Refusal } from '@/components/dialog/confirm-dialog'
import { OpenButton } from '@/components/buttons'
import { QueryBoundary } from '@/components/query-boundary'
import { Alert } from '@/components/ui/alert'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { usePageDialogs } from '@/components/page-dialogs'
import { useCapabilities } from '@/data/api/capabilities'
import { secondFactorOf } from '@/data/api/ways-in'
import { useRequest } from '@/data/api/use-request'
import { countText } from '@/lib/text'
import { WaysFrame, WaysSkeleton } from '../ways-section'
import { secondFactorDialogs } from '../ways-in-search'
import { TwoColumnSection } from '@/components/section'
import { NewCodesDialog, SetUpDialog, TurnOffDialog } from './second-factor-dialogs'

const FEW_CODES = 3

export function OwnSecondFactor() {
  const query = useQuery({ ...secondFactorOf('me'), enabled: useCapabilities().has('second-factor') })
  const begin = useRequest({ mutationFn: async () => (await usersBeginTotp()).data })
  const { open, shown } = usePageDialogs(secondFactorDialogs, ({ dialog, control }) => {
    if (dialog.kind === 'new_codes') return <NewCodesDialog {...control} />
    if (dialog.kind === 'turn_off') return <TurnOffDialog {...control} />
    // After a reload, or by a link, the dialog can be open without a secret.
    return begin.data ? <SetUpDialog {...control} secret={begin.data} /> : <Refusal control={control} />
  })
  const { totp, passkeys = 0, recovery_codes_left: left = 0, required }: Partial<SecondFactor> = query.data ?? {}
  const hasFewCodes = totp && left <= FEW_CODES
  const state = totp ? `${countText(left, 'recovery code')} left` : 'No authenticator app is set up.'
  const requirement = totp || passkeys > 0 ? ' · Required here' : ' Your account needs one to log in.'
  return (
    <>
      <TwoColumnSection title="Two-step login" text="After your password, you enter a code of an app on your phone.">
        <QueryBoundary query={query} absent="This server has no two-step login." waiting={<WaysSkeleton />}>
          {() => (
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
                      <OpenButton
                        open={open}
                        dialog={{ kind: 'new_codes' }}
                        variant={hasFewCodes ? 'primary' : 'secondary'}
                      >
                        New Recovery Codes
                      </OpenButton>
                      <OpenButton open={open} dialog={{ kind: 'turn_off' }}>
                        Turn Off
                      </OpenButton>
                    </>
                  ) : (
                    <Button
                      pending={begin.pending}
                      onClick={({ currentTarget }) =>
                        begin.send(undefined, { onSuccess: () => open({ kind: 'set_up' }, currentTarget) })
                      }
                    >
                      Set Up
                    </Button>
                  )
                }
                head={
                  <>
                    <Badge variant={totp ? 'success' : 'secondary'}>{totp ? 'On' : 'Off'}</Badge>
                    <span>{required ? state + requirement : state}</span>
                  </>
                }
              />
            </>
          )}
        </QueryBoundary>
      </TwoColumnSection>
      {shown}
    </>
  )
}
