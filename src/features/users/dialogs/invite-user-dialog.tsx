import { type ReactNode, useState } from 'react'
import { type Control, useWatch } from 'react-hook-form'
import * as z from 'zod/mini'
import { usersImportUsers, usersInviteUser } from '@/client/sdk.gen'
import type { Invitation } from '@/client/types.gen'
import { CheckboxField } from '@/components/form/checkbox-field'
import { FormDialog } from '@/components/dialog/form-dialog'
import { TextField } from '@/components/form/text-field'
import { useCreate } from '@/components/form/use-create'
import { useZodForm } from '@/components/form/use-zod-form'
import type { PageDialogControl } from '@/components/use-dialog'
import { errorMessage, isMissing } from '@/lib/api/errors'
import { toBody } from '@/lib/to-body'
import { toast } from '@/lib/toast'
import { email, fullName } from '@/lib/validation/rules'
import { addressesOf, joinAddresses, keyOf, problemOf } from './addresses'
import { AddressesField } from './addresses-field'
import type { Mailbox } from './mailboxes'
import { type Invited, InvitationList } from './invitation-list'
import { useInvitation } from './invitation-link'
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
type Outcome = { invitation: Invitation } | { invited: Invited[] } | { refused: Map<string, string> }

export function InviteUserDialog({ onDone, ...control }: PageDialogControl) {
  const [refused, setRefused] = useState<ReadonlyMap<string, string>>(new Map())
  const schema = z.object({ email: emails((people) => problemOf(people, refused)), ...others })
  const form = useZodForm(schema, { email: '', full_name: '', is_superuser: false })
  const { result, onInvited } = useInvitation({ onDone, ...control })
  const [list, setList] = useState<ReactNode>()

  const invite = useCreate(form, {
    create: async (values): Promise<Outcome> => {
      const people = addressesOf(values.email)
      if (people.length > 1) return inviteAll(people, values.is_superuser)
      const body = toBody({ ...values, email: z.parse(one, values.email) }, { nullable: ['full_name'] })
      return { invitation: (await usersInviteUser({ body })).data }
    },
    meta: { invalidates: ['users', 'audit'] },
    onCreated: (outcome) => {
      if ('invitation' in outcome) onInvited(outcome.invitation)
      else if ('refused' in outcome) {
        setRefused(new Map([...refused, ...outcome.refused]))
        const message = problemOf(addressesOf(form.getValues('email')), outcome.refused)
        form.setError('email', { type: 'refused', message: message ?? '' })
        form.setFocus('email')
      } else if (control.isCurrent()) setList(<InvitationList invited={outcome.invited} onClose={control.onClose} />)
      else report(outcome.invited)
    },
  })
  return (
    <FormDialog
      {...control}
      {...invite}
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
      result={list ?? result}
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
    </FormDialog>
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
    const { address } = person
    try {
      const { data } = await usersInviteUser({ body: { ...toBodyOf(person), is_superuser } })
      invited.push({ address, link: data.link })
    } catch (error) {
      // With the first one, the form says why.
      if (invited.length === 0) throw error
      invited.push({ address, reason: errorMessage(error) })
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

/** For a dialog that was closed meanwhile. */
function report(invited: readonly Invited[]): void {
  const failed = invited.filter(({ reason }) => reason !== undefined).length
  const sent = invited.length - failed
  const people = sent === 1 ? 'One person was' : `${sent} people were`
  if (invited.some(({ link }) => typeof link === 'string'))
    toast.error(`${people} invited, but the links were not shown.`, 'Resend Invitation gives new ones.')
  else if (failed > 0) toast.error(`${people} invited, and ${failed} could not be invited.`)
  else toast.success('Invitations sent.')
}
