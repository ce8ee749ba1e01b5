import { usersCreateUser } from '@/client/sdk.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/page-dialogs'
import { emptyUser, newUserSchema, toUserBody, UserFields } from './user-form'

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
      form={form}
      schema={newUserSchema}
      saveRule="valid"
    >
      <UserFields control={form.control} passwordRequired />
    </FormDialog>
  )
}
