import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import { usersUpdateUser } from '@/client/sdk.gen'
import type { UserPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { useSave } from '@/components/form/use-save'
import { useZodFormOf } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/page-dialogs'
import { LabelledCheckbox } from '@/components/ui/labelled-checkbox'
import { UserText } from '@/components/ui/user-text'
import { useHasApiTokens } from '@/data/api/ways-in'
import { useIsNarrow } from '@/browser/use-media'
import { editedUserSchema, toUserBody, toUserValues, UserFields, userLabels, type UserValues } from './user-form'
import { usersList } from '../users-list'
import { whoIs } from '../who-is'

export function EditUserDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const form = useZodFormOf(editedUserSchema, toUserValues(user))
  const path = { user_id: user.id }
  const hasTokens = useHasApiTokens(user.id)
  const [endTokens, setEndTokens] = useState(false)
  const save = useSave(form, {
    edited: {
      subject: 'This user',
      labels: userLabels,
      query: usersList.row(user.id),
      server: user,
      toValues: toUserValues,
    },
    send: (changes, { headers }) => {
      const endsTokens = endTokens && changes.password !== undefined
      return usersUpdateUser({
        path,
        body: { ...toUserBody(changes), ...(endsTokens && { end_tokens: true }) },
        headers,
      })
    },
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
          <span>Update the user details below. Leave empty to keep the password.</span>
        </>
      }
      form={form}
      schema={editedUserSchema}
      // Not the email address, where text typed by mistake would change how the user logs in.
      initialField="full_name"
      saveRule={useIsNarrow() ? 'valid' : 'valid and changed'}
    >
      <UserFields control={form.control} passwordRequired={false}>
        {hasTokens && <EndTokens control={form.control} checked={endTokens} onCheck={setEndTokens} />}
      </UserFields>
    </FormDialog>
  )
}

interface EndTokensProps {
  control: Control<UserValues>
  checked: boolean
  onCheck: (isChecked: boolean) => void
}

function EndTokens({ control, checked, onCheck }: EndTokensProps) {
  const password = useWatch({ control, name: 'password' })
  return (
    <LabelledCheckbox
      label="Also revoke API tokens"
      disabled={password === ''}
      checked={checked}
      onChange={({ target }) => onCheck(target.checked)}
    />
  )
}
