import { type ComponentProps, type ReactNode, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersCreateUser, usersUpdateUser } from '@/client/sdk.gen'
import type { UserCreate, UserPublic } from '@/client/types.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { CheckboxField, NewPasswordFields, TextField } from '@/components/form/fields'
import { useEdit } from '@/components/form/use-edit'
import { useSave, useZodForm } from '@/components/form/use-form'
import type { PageDialogControl } from '@/components/page-dialogs'
import { LabelledCheckbox } from '@/components/ui/checkbox'
import { UserText } from '@/components/ui/user-text'
import { useHasApiTokens } from '@/data/api/ways-in'
import { useIsNarrow } from '@/browser/use-media'
import { isolate } from '@/lib/text'
import { ownedRows } from '@/lib/owned-rows'
import { toBody } from '@/lib/to-body'
import {
  confirmation,
  editableName,
  email,
  fullName,
  matching,
  optionalPassword,
  password,
} from '@/lib/validation/rules'
import { usersList } from '../users-list'

const profile = {
  email: email(),
  full_name: fullName(),
  is_superuser: z.boolean(),
  is_active: z.boolean(),
} satisfies Record<Exclude<keyof UserCreate, 'password'>, z.ZodMiniType>

const newUserSchema = z
  .object({ ...profile, password: password(), confirm_password: confirmation('Please confirm your password') })
  .check(matching('password'))

/** An empty password keeps the old one. */
const editedUserSchema = z
  .object({ ...profile, password: optionalPassword(), confirm_password: z.string() })
  .check(matching('password', { isRequired: false }))

type UserValues = z.infer<typeof newUserSchema>

const emptyUser = {
  email: '',
  full_name: '',
  password: '',
  confirm_password: '',
  is_superuser: false,
  is_active: false,
}

export const userLabels: Record<keyof typeof profile, string> = {
  email: 'Email',
  full_name: 'Full Name',
  is_superuser: 'Is superuser?',
  is_active: 'Is active?',
}

function toUserValues(user: UserPublic): UserValues {
  const { full_name, is_superuser, is_active } = user
  return { ...emptyUser, email: user.email, full_name: editableName(full_name), is_superuser, is_active }
}

function toUserBody<Values extends Partial<UserValues>>(values: Values) {
  const { confirm_password, ...body } = toBody(values, { nullable: ['full_name'] })
  return body
}

function UserFields(props: { control: Control<UserValues>; passwordRequired: boolean; children?: ReactNode }) {
  const { control, passwordRequired, children } = props
  return (
    <>
      <TextField control={control} name="email" label={userLabels.email} type="email" autoComplete="off" required />
      <TextField control={control} name="full_name" label={userLabels.full_name} autoComplete="off" />
      <NewPasswordFields control={control} name="password" label="Password" required={passwordRequired} />
      {children}
      <CheckboxField control={control} name="is_superuser" label={userLabels.is_superuser} />
      <CheckboxField control={control} name="is_active" label={userLabels.is_active} />
    </>
  )
}

export function AddUserDialog({ onDone, ...control }: PageDialogControl) {
  const form = useZodForm(newUserSchema, emptyUser)
  const save = useSave(form, {
    send: async (values) => (await usersCreateUser({ body: toUserBody(values) })).data,
    meta: { success: 'User created successfully.', adds: 'users', invalidates: ['users'] },
    onSaved: onDone,
  })
  return (
    <FormDialog
      {...control}
      {...save}
      title="Add User"
      description="Fill in the form below to add a new user to the system."
    >
      <UserFields control={form.control} passwordRequired />
    </FormDialog>
  )
}

export function EditUserDialog({ user, onDone, ...control }: PageDialogControl & { user: UserPublic }) {
  const hasTokens = useHasApiTokens(user.id)
  const [endTokens, setEndTokens] = useState(false)
  const save = useEdit({
    schema: editedUserSchema,
    subject: 'This user',
    labels: userLabels,
    query: usersList.row(user.id),
    server: user,
    toValues: toUserValues,
    send: (changes, headers) => {
      const ending = endTokens && changes.password !== undefined && { end_tokens: true }
      return usersUpdateUser({ path: { user_id: user.id }, body: { ...toUserBody(changes), ...ending }, headers })
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
            <UserText>{nameAndAddress(user)}</UserText>
          </strong>{' '}
          <span>Update the user details below. Leave empty to keep the password.</span>
        </>
      }
      // The email field gets no initial focus, because a slip in it would change how the user logs in.
      initialField="full_name"
      saveRule={useIsNarrow() ? 'valid' : 'valid and changed'}
    >
      <UserFields control={save.form.control} passwordRequired={false}>
        {hasTokens && <EndTokensField control={save.form.control} checked={endTokens} onCheck={setEndTokens} />}
      </UserFields>
    </FormDialog>
  )
}

export const superuserPowers = `They will see and change all users and all ${ownedRows}.`

export const powersAsSuperuser = `As a superuser, they see and change all users and all ${ownedRows}.`

/** A user in the text of a dialog, such as `Grace Hopper, grace@example.com`. */
export function nameAndAddress({ full_name, email: address }: UserPublic): string {
  return full_name ? `${isolate(full_name)}, ${isolate(address)}` : address
}

export function EndTokens(props: { checked: boolean; onCheck: (isChecked: boolean) => void; disabled?: boolean }) {
  const { onCheck, ...checkbox } = props
  return (
    <LabelledCheckbox {...checkbox} label="Also revoke API tokens" onChange={({ target }) => onCheck(target.checked)} />
  )
}

/** A separate component, because it renders on every key of the password. */
function EndTokensField({ control, ...props }: ComponentProps<typeof EndTokens> & { control: Control<UserValues> }) {
  const typed = useWatch({ control, name: 'password' })
  return <EndTokens {...props} disabled={typed === ''} />
}
