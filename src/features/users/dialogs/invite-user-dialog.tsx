import { useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersImportUsers, usersInviteUser } from '@/client/sdk.gen'
import { CheckboxField } from '@/components/form/checkbox-field'
import { FormDialog } from '@/components/dialog/form-dialog'
import { TextField } from '@/components/form/text-field'
import { useSave } from '@/components/form/use-save'
import { useZodForm } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { errorMessage, isMissing } from '@/data/api/errors'
import { toBody } from '@/lib/to-body'
import { email, fullName } from '@/lib/validation/rules'
import { addressesOf, joinAddresses, keyOf, problemOf } from './addresses'
import { AddressesField } from './addresses-field'
import { type Invited, useInvitedPeople } from './invited-people'
import type { Mailbox } from './mailboxes'
import { powers } from './superusers'
import { userLabels } from './user-form'

const others = { full_name: fullName(), is_superuser: z.boolean() }
const one = email()

/** One address, or several that `problem` accepts. */
const emails = (problem: (people: readonly Mailbox[]) => string | undefined) =>
  z.string().check(
    z.check<string>(({ value, issues }) => {
      const people = addressesOf(value)
      const messages =
        people.length > 1
          ? [problem(people)]
          : (z.safeParse(one, value).error?.issues.map(({ message }) => message) ?? [])
      for (const message of messages) if (message !== undefined) issues.push({ code: 'custom', message, input: value })
    }),
  )

/** Send is enabled for several addresses, and says what is wrong with them. */
const sendable = z.object({ email: emails(() => undefined), ...others })

type Values = z.infer<typeof sendable>
type Outcome = { invited: Invited[] } | { refused: Map<string, string> }

export function InviteUserDialog({ onDone, ...control }: PageDialogControl) {
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const schema = z.object({ email: emails((people) => problemOf(people, refused)), ...others })
  const form = useZodForm(schema, { email: '', full_name: '', is_superuser: false })
  const { result, onClose, onInvited } = useInvitedPeople({ onDone, ...control })

  const invite = useSave(form, {
    send: async (values): Promise<Outcome> => {
      const people = addressesOf(values.email)
      if (people.length > 1) return inviteAll(people, values.is_superuser)
      const body = toBody({ ...values, email: z.parse(one, values.email) }, { nullable: ['full_name'] })
      const { user, link } = (await usersInviteUser({ body })).data
      return { invited: [{ address: user.email, name: user.full_name, link }] }
    },
    meta: { invalidates: ['users'] },
    onSaved: (outcome: Outcome) => {
      if ('invited' in outcome) onInvited(outcome.invited)
      else {
        setRefused(new Map([...refused, ...outcome.refused]))
        const message = problemOf(addressesOf(form.getValues('email')), outcome.refused)
        form.setError('email', { type: 'refused', message: message ?? '' })
        form.setFocus('email')
      }
    },
  })
  return (
    <FormDialog
      {...control}
      {...invite}
      onClose={onClose}
      onSubmit={(event) => {
        // The last one of several becomes a chip, too, which says what is wrong with it.
        const people = addressesOf(form.getValues('email'))
        if (people.length > 1) form.setValue('email', joinAddresses(people))
        invite.onSubmit(event)
      }}
      title="Invite User"
      description="They get a link with which they choose their password."
      // Not a chip, which may disappear.
      initialField="email"
      form={form}
      schema={sendable}
      saveRule="valid"
      saveLabel="Send Invitation"
      result={result}
    >
      <AddressesField
        control={form.control}
        name="email"
        label={userLabels.email}
        refused={refused}
        nameOfOne={{
          read: () => form.getValues('full_name'),
          write: (name) => form.setValue('full_name', name, { shouldDirty: true, shouldValidate: true }),
        }}
      />
      <NameOfOne control={form.control} />
      <CheckboxField control={form.control} name="is_superuser" label={userLabels.is_superuser} />
      <RoleNote control={form.control} />
    </FormDialog>
  )
}

/** Its room is reserved, so that it does not move buttons. */
function RoleNote({ control }: { control: Control<Values> }) {
  const { email: text, is_superuser: isSuperuser } = useWatch({ control })
  const { length } = addressesOf(text ?? '')
  return (
    <p aria-live="polite" className="min-h-5 pb-3 box-content text-muted-foreground">
      {isSuperuser && (length > 1 ? `All ${length} will see and change all users and all items.` : powers)}
    </p>
  )
}

/** Several people have several names. */
function NameOfOne({ control }: { control: Control<Values> }) {
  const isOne = addressesOf(useWatch({ control, name: 'email' })).length === 1
  return isOne && <TextField control={control} name="full_name" label={userLabels.full_name} autoComplete="off" />
}

/** Invites all or, if an address is taken or invalid, nobody. */
async function inviteAll(people: readonly Mailbox[], is_superuser: boolean): Promise<Outcome> {
  const refused = await findRefused(people)
  if (refused.size > 0) return { refused }
  const invited: Invited[] = []
  for (const person of people) {
    try {
      const { data } = await usersInviteUser({ body: { ...toBodyOf(person), is_superuser } })
      invited.push({ ...person, isSuperuser: is_superuser, link: data.link })
    } catch (error) {
      // With the first one, the form says why.
      if (invited.length === 0) throw error
      invited.push({ ...person, reason: errorMessage(error) })
    }
  }
  return { invited }
}

/** The addresses that cannot be invited, with reasons. Back ends without imports say so one by one. */
async function findRefused(people: readonly Mailbox[]): Promise<Map<string, string>> {
  const rows = people.map(toBodyOf)
  try {
    const { existing, errors } = (await usersImportUsers({ body: { rows, dry_run: true } })).data
    return new Map([
      ...existing.map((address) => [keyOf(address), 'Already has an account'] as const),
      ...errors.map(({ row, detail }) => [keyOf(people[row - 1]?.address ?? ''), detail] as const),
    ])
  } catch (error) {
    if (isMissing(error)) return new Map()
    throw error
  }
}

const toBodyOf = ({ address, name }: Mailbox) => ({ email: address, ...(name !== null && { full_name: name }) })
