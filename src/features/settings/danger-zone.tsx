import { useMutation } from '@tanstack/react-query'
import { usersDeleteUserMeMutation } from '@/client/@tanstack/react-query.gen'
import { onDemand, usePreload } from '@/components/on-demand'
import { Button } from '@/components/ui/button'
import { useDialog } from '@/components/use-dialog'
import { SettingsSection } from './settings-section'

const confirmDialog = onDemand(async () => (await import('@/components/confirm-dialog')).ConfirmDialog)
const parts = [confirmDialog]

/** @param onDeleted the account is gone, and with it the session */
export function DangerZone({ onDeleted }: { onDeleted: () => void }) {
  const dialog = useDialog<'delete'>('danger zone')
  usePreload(parts)
  const remove = useMutation({
    ...usersDeleteUserMeMutation(),
    meta: { success: 'Your account has been successfully deleted' },
    onSuccess: onDeleted,
  })
  return (
    <SettingsSection title="Delete account" text="Permanently delete your account and all of its data.">
      <Button variant="destructive" onClick={() => dialog.show('delete')}>
        Delete Account
      </Button>
      {dialog.content && (
        <confirmDialog.Part
          key={dialog.opening}
          {...dialog.props}
          title="Delete Account"
          description="Your account and all of your items will be permanently deleted. This action cannot be undone."
          action="Delete"
          pending={remove.isPending}
          onConfirm={() => remove.mutate({})}
          onFailure={dialog.props.onClose}
        />
      )}
    </SettingsSection>
  )
}
