import { getRouteApi } from '@tanstack/react-router'
import { usersDeleteUserMe } from '@/client/sdk.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { endSession } from '@/data/session'
import { settingsDialogs } from './settings-search'
import { TwoColumnSection } from '@/components/section'

const route = getRouteApi('/_layout/settings')

export function DangerZone() {
  const { dialog, opening, open, control } = useDialog(settingsDialogs, route.useSearch())
  return (
    <TwoColumnSection title="Delete account" text="Permanently delete your account and all of its data.">
      <Button variant="destructive" onClick={(event) => open({ kind: 'delete' }, event.currentTarget)}>
        Delete Account
      </Button>
      {dialog && (
        <Confirm
          key={opening}
          {...control}
          title="Delete Account"
          description="Your account and all of your items will be permanently deleted. This action cannot be undone."
          send={async () => {
            await ignoreNotFound(usersDeleteUserMe())
            // Before the message, because toasts go with their session.
            endSession('changed')
          }}
          meta={{ success: 'Your account has been successfully deleted' }}
        />
      )}
    </TwoColumnSection>
  )
}
