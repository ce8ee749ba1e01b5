import { usersDeleteUserMe } from '@/client/sdk.gen'
import { untilGone, useConfirmed } from '@/components/form/use-confirmed'
import { lazyPart } from '@/components/lazy-part'
import { Button } from '@/components/ui/button'
import { useAddressDialog } from '@/components/use-address-dialog'
import { endSession } from '@/lib/session'
import { SettingsSection } from './settings-section'

const confirmDialog = lazyPart(async () => (await import('@/components/confirm-dialog')).ConfirmDialog)

export function DangerZone() {
  const { dialog, opening, open, control } = useAddressDialog()
  const remove = useConfirmed({
    send: () => untilGone(usersDeleteUserMe()),
    meta: { success: 'Your account has been successfully deleted' },
    onSuccess: () => endSession('changed'),
  })
  return (
    <SettingsSection title="Delete account" text="Permanently delete your account and all of its data.">
      <Button variant="destructive" onClick={(event) => open({ kind: 'delete', id: '' }, event.currentTarget)}>
        Delete Account
      </Button>
      {dialog && (
        <confirmDialog.Part
          key={opening}
          {...control}
          {...remove}
          title="Delete Account"
          description="Your account and all of your items will be permanently deleted. This action cannot be undone."
          onFailure={control.onClose}
        />
      )}
    </SettingsSection>
  )
}
