import { usersUpdateUser } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { useSave } from '@/components/form/use-save'
import { useZodFormOf } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { UserText } from '@/components/ui/user-text'
import { useIsNarrow } from '@/data/use-media'
import { editedUserSchema, toUserBody, toUserValues, UserFields, userLabels } from './user-form'
import { userResource } from '../users-queries'
import { whoIs } from '../who-is'

export function EditUserDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const form = useZodFormOf(editedUserSchema, toUserValues(user))
  const path = { user_id: user.id }
  const save = useSave(form, {
    edited: {
      subject: 'This user',
      labels: userLabels,
      query: userResource(user.id),
      server: user,
      toValues: toUserValues,
    },
    send: (changes, { headers }) => usersUpdateUser({ path, body: toUserBody(changes), headers }),
    meta: { success: 'User updated successfully.', stores: 'users', invalidates: ['users'] },
    onSaved: onDone,
  })
  return (
    <FormDialog
      {...control}
      {...save}
      title="Edit User"
      description={
        <>
          <strong className="mb-2 line-clamp-3 low:inline font-semibold text-foreground">
            <UserText>{whoIs(user)}</UserText>
          </strong>{' '}
          <span>Update the user details below. An empty password stays as it is.</span>
        </>
      }
      form={form}
      schema={editedUserSchema}
      // Text typed by mistake must not replace the address to log in with.
      initialField="full_name"
      saveRule={useIsNarrow() ? 'valid' : 'valid and changed'}
    >
      <UserFields control={form.control} passwordRequired={false} />
    </FormDialog>
  )
}
