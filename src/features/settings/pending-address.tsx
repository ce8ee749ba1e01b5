import { useQueryClient } from '@tanstack/react-query'
import { usersForgetPendingEmail, usersSendEmailConfirmation } from '@/client/sdk.gen'
import { RequestButton } from '@/components/buttons'
import { UserText } from '@/components/ui/user-text'
import { currentUserOptions } from '@/data/api/current-user'

export function PendingAddress({ address }: { address: string }) {
  const queryClient = useQueryClient()
  return (
    <section aria-label="Pending address" className="-mt-2 mb-4 rounded-lg border bg-muted px-4 py-3">
      <p>
        <UserText>{address}</UserText> <span>replaces it when you use the link in the mail to that address.</span>
      </p>
      <div className="mt-2 flex gap-2">
        <RequestButton
          size="compact"
          send={() => usersSendEmailConfirmation()}
          meta={{ success: `We sent a link to ${address}.` }}
        >
          Send Again
        </RequestButton>
        <RequestButton
          variant="ghost"
          size="compact"
          send={() => usersForgetPendingEmail()}
          meta={{ success: 'Your address does not change.', invalidates: ['users'] }}
          onDone={() => queryClient.invalidateQueries({ queryKey: currentUserOptions.queryKey })}
        >
          Forget
        </RequestButton>
      </div>
    </section>
  )
}
