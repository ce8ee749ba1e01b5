import { usersDeleteUserMe } from '@/client/sdk.gen'
import { Confirm } from '@/components/dialog/confirm-dialog'
import { ignoreNotFound } from '@/components/form/use-confirm'
import { OpenButton } from '@/components/buttons'
import { usePageDialogs } from '@/components/page-dialogs'
import { endSession } from '@/data/session'
import { ownedRows } from '@/lib/owned-rows'
import { settingsDialogs } from './settings-search'
import { TwoColumnSection } from '@/components/section'

export function DangerZone() {
  const { open, shown } = usePageDialogs(settingsDialogs, ({ control }) => (
    <Confirm
      {...control}
      title="Delete Account"
      sheet="from the right"
      description={`Your account and all of your ${ownedRows} will be permanently deleted. This action cannot be undone.`}
      send={async () => {
        await ignoreNotFound(usersDeleteUserMe())
        // The session ends before the message appears, because its end dismisses toasts.
        endSession('changed')
      }}
      meta={{ success: 'Your account has been successfully deleted' }}
    />
  ))
  return (
    <>
      <TwoColumnSection title="Delete account" text="Permanently delete your account and all of its data.">
        <OpenButton open={open} dialog={{ kind: 'delete' }} variant="destructive">
          Delete Account
        </OpenButton>
      </TwoColumnSection>
      {shown}
    </>
  )
}
