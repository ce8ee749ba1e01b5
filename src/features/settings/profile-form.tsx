import { useFormState, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersUpdateUserMe } from '@/client/sdk.gen'
import type { UserPublic, UserUpdateMe } from '@/client/types.gen'
import { SaveButton, TextField } from '@/components/form/fields'
import { useDraft } from '@/components/form/use-draft'
import { useEdit } from '@/components/form/use-edit'
import { type Form, withoutChanges } from '@/components/form/use-form'
import { Button } from '@/components/ui/button'
import { useCapabilities } from '@/data/api/capabilities'
import { currentUserOptions, useCurrentUser } from '@/data/api/current-user'
import { toBody } from '@/lib/to-body'
import { editableName, email, profileName } from '@/lib/validation/rules'
import { PendingAddress } from './pending-address'
import { TwoColumnSection } from '@/components/section'

const schema = z.object({ full_name: profileName(), email: email() } satisfies Record<
  keyof UserUpdateMe,
  z.ZodMiniType
>)
const title = 'User information'
const labels: Record<keyof UserUpdateMe, string> = { full_name: 'Full Name', email: 'Email' }
type Values = z.infer<typeof schema>

function toValues(user: UserPublic): Values {
  return { full_name: editableName(user.full_name), email: user.email }
}

function successOf(before: UserPublic, { pending_email }: UserPublic): string {
  return pending_email && pending_email !== before.pending_email
    ? `Open the link in the mail to ${pending_email} to change your address.`
    : 'User updated successfully.'
}

function toProfileBody<Changed extends Partial<Values>>(changes: Changed) {
  return toBody(changes, { nullable: ['full_name'] })
}

export function ProfileForm() {
  const user = useCurrentUser()
  const { form, onSubmit, pending, notice } = useEdit({
    schema,
    subject: 'Your account',
    labels,
    query: currentUserOptions,
    server: user,
    toValues,
    send: (changes, headers) => usersUpdateUserMe({ body: toProfileBody(changes), headers }),
    meta: { success: (answer) => successOf(user, answer as UserPublic), stores: 'users', invalidates: ['users'] },
  })
  const draft = useDraft(form, { title })
  const capabilities = useCapabilities()
  const isFixed = !capabilities.has('passwords') && !capabilities.has('confirmed-addresses')

  return (
    <TwoColumnSection title={title} text="Update your user details.">
      <form noValidate onSubmit={onSubmit}>
        {notice}
        <TextField control={form.control} name="full_name" label={labels.full_name} autoComplete="name" />
        <TextField
          control={form.control}
          name="email"
          label={labels.email}
          type="email"
          autoComplete="email"
          required
          footnote={isFixed && <p className="text-muted-foreground">Only an administrator can change your address.</p>}
        />
        {user.pending_email && <PendingAddress address={user.pending_email} />}
        <ProfileButtons
          form={form}
          pending={pending}
          blocked={Boolean(notice)}
          onCancel={() =>
            draft.discard(`“${title}” was reset. What you typed was not saved.`, () =>
              form.reset(toValues(user), withoutChanges),
            )
          }
        />
      </form>
      {draft.question}
    </TwoColumnSection>
  )
}

interface ProfileButtonsProps {
  form: Form<Values, Values>
  pending: boolean
  blocked: boolean
  onCancel: () => void
}

/** A separate component, because it renders on every key. */
function ProfileButtons({ form, pending, blocked, onCancel }: ProfileButtonsProps) {
  const { control } = form
  const address = useWatch({ control, name: 'email' })
  const { isDirty } = useFormState({ control })
  return (
    <div className="mt-3 flex gap-2">
      <SaveButton form={form} rule="changed" pending={pending} blocked={blocked || address.trim() === ''} />
      <Button variant="secondary" disabled={blocked || !isDirty || pending} onClick={onCancel}>
        Cancel
      </Button>
    </div>
  )
}
