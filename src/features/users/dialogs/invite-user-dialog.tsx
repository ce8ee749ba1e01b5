import { useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersInviteUser } from '@/client/sdk.gen'
import { FormDialog } from '@/components/dialog/form-dialog'
import { CheckboxField, TextField } from '@/components/form/fields'
import { Field } from '@/components/form/field'
import { useSave, useZodForm } from '@/components/form/use-form'
import { Textarea } from '@/components/ui/input'
import type { PageDialogControl } from '@/components/page-dialogs'
import { NO_MAIL_SERVER, useHasMail } from '@/data/api/use-instance'
import { toBody } from '@/lib/to-body'
import { email, fullName } from '@/lib/validation/rules'
import { ownedRows } from '@/lib/owned-rows'
import type { Invited } from './invited-people'
import { isAddress } from '../people/mailboxes'
import { listOf } from '../people/read-people'
import { PeopleTable } from './people-table'
import { useInvitation } from './use-invitation'
import { superuserPowers, userLabels } from './user-form'

const one = email()

/** The number of people in a text. A text with one address is one person, so that a typed name is not split. */
function countIn(text: string): number {
  const addresses = listOf(text)?.filter(isAddress).length
  return Math.max(1, addresses ?? Infinity)
}

const schema = z.object({
  email: z.string().check(
    z.check<string>(({ value, issues }) => {
      if (countIn(value) > 1) return
      for (const { message } of z.safeParse(one, value).error?.issues ?? [])
        issues.push({ code: 'custom', message, input: value })
    }),
  ),
  full_name: fullName(),
  is_superuser: z.boolean(),
})

export function InviteUserDialog(control: PageDialogControl) {
  const form = useZodForm(schema, { email: '', full_name: '', is_superuser: false })
  const { show, result, review, onInvited } = useInvitation(control)
  const invite = useSave(form, {
    send: async (values): Promise<Invited[] | void> => {
      if (countIn(values.email) > 1) return show(values.email, true, values.is_superuser)
      const body = toBody({ ...values, email: z.parse(one, values.email) }, { nullable: ['full_name'] })
      const { user, link } = (await usersInviteUser({ body })).data
      return [{ ...user, link }]
    },
    meta: { invalidates: ['users'], changesMore: true },
    onSaved: (invited) => invited && onInvited(invited),
  })
  const gets = useHasMail()
    ? 'They get a link to choose their password.'
    : `${NO_MAIL_SERVER} You get a link to choose their password, and give it to them yourself.`
  const [typed, isSuperuser] = useWatch({ control: form.control, name: ['email', 'is_superuser'] })
  const number = countIn(typed)
  const powers = number === 1 ? superuserPowers : `All will see and change all users and all ${ownedRows}.`

  const fill = (name: 'email' | 'full_name', text: string) =>
    form.setValue(name, text, { shouldDirty: true, shouldValidate: true })

  /** Shows a preview of several pasted people, and splits a single one such as `Ada <ada@example.com>` into fields. */
  function paste(text: string): boolean {
    if (form.getValues('email') !== '') return false
    if (countIn(text) > 1) {
      fill('email', text)
      invite.submit()
      return true
    }
    const [person, another] = listOf(text) ?? []
    if (!person || !isAddress(person) || another) return false
    fill('email', person.address)
    if (person.name !== null) fill('full_name', person.name)
    return true
  }

  return (
    <FormDialog
      {...control}
      {...invite}
      title="Invite User"
      description={`${gets} For several people, type or paste their addresses.`}
      saveLabel={number > 1 ? 'Review People' : 'Send Invitation'}
      result={result ?? (review && <PeopleTable {...review} />)}
      isPreview={result === undefined}
      isWide={Boolean(result ?? review)}
    >
      <Field control={form.control} name="email" label={userLabels.email} required>
        {(state) => (
          <Textarea
            {...form.register('email')}
            {...state}
            rows={1}
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            className="field-sizing-content max-h-40 min-h-9 resize-none py-1.5 pointer-coarse:min-h-11"
            onPaste={(event) => {
              if (paste(event.clipboardData.getData('text'))) event.preventDefault()
            }}
            onKeyDownCapture={(event) => {
              if (event.key !== 'Enter' || event.shiftKey) return
              event.preventDefault()
              event.currentTarget.form?.requestSubmit()
            }}
          />
        )}
      </Field>
      {number === 1 && (
        <TextField control={form.control} name="full_name" label={userLabels.full_name} autoComplete="off" />
      )}
      <CheckboxField control={form.control} name="is_superuser" label={userLabels.is_superuser} />
      {/* It has reserved room, so that buttons do not move when the text appears. */}
      <p aria-live="polite" className="min-h-5 pb-3 box-content text-muted-foreground">
        {isSuperuser && powers}
      </p>
    </FormDialog>
  )
}
