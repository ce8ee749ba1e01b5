import { useId, useLayoutEffect, useRef, useState } from 'react'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { UserText } from '@/components/ui/user-text'
import type { PageDialogControl } from '@/components/page-dialogs'
import { copyText } from '@/browser/copy-text'
import { takeFocus } from '@/browser/focus-heading'
import { NO_MAIL_SERVER } from '@/data/api/use-instance'
import { countText } from '@/lib/text'
import { saveFile } from '@/browser/save-file'
import { toast } from '@/browser/toast'
import { toCsv, escapeFormulas } from '../people/csv'

const invitation = {
  label: 'Invitation link',
  lasts: '7 days',
  another: 'Resend Invitation gives a new one.',
}

export const passwordReset: typeof invitation = {
  label: 'Password reset link',
  lasts: 'one hour',
  another: 'Send Password Reset gives a new one.',
}

export interface Invited {
  email: string
  full_name?: string | null
  is_superuser?: boolean
  /** The link to hand over; none if it was mailed. */
  link?: string | null | undefined
  /** Why the person was not invited. */
  reason?: string | undefined
}

type Linked = Invited & { link: string }

const linkedOf = (people: readonly Invited[]): Linked[] =>
  people.filter((one): one is Linked => typeof one.link === 'string')

/** @param toCorrect the number of others, who can be corrected and invited afterwards */
export function useInvitedPeople(
  { isCurrent, onDone, onClose }: PageDialogControl,
  { words = invitation, toCorrect = 0 } = {},
) {
  const [people, setPeople] = useState<readonly Invited[]>([])
  const [one] = linkedOf(people)
  const all = { people, toCorrect, onCorrect: () => setPeople([]), onClose }
  const shown =
    people.length === 1 && one ? <OneLink {...words} person={one} onClose={onClose} /> : <InvitedPeople {...all} />
  return {
    result: people.length > 0 ? shown : undefined,
    onInvited: (invited: readonly Invited[]) => {
      const isOneMailed = invited.length === 1 && invited.every(isMailed)
      if (isCurrent() && !isOneMailed) return setPeople(invited)
      const links = linkedOf(invited).length
      if (links > 0) toast.error(links === 1 ? 'The link was not shown.' : 'The links were not shown.', words.another)
      else toast.success(isOneMailed ? 'Invitation sent.' : summaryOf(invited))
      return void onDone()
    },
  }
}

const isFailed = ({ reason }: Invited) => reason !== undefined

const isMailed = (person: Invited) => !person.link && !isFailed(person)

function summaryOf(people: readonly Invited[]): string {
  const failed = people.filter(isFailed).length
  return `${countText(people.length - failed, 'person', 'people')} invited${failed > 0 ? `, ${failed} not` : ''}.`
}

type OneLinkProps = typeof invitation & { person: Linked; onClose: () => void }

function OneLink({ person: { email, link }, label, lasts, onClose }: OneLinkProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  // The button that had the focus was removed.
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  return (
    <>
      <DialogBody
        description={
          <>
            {`${NO_MAIL_SERVER} Give this link to`} <UserText>{email}</UserText>
            {` yourself: it works once, for ${lasts}.`}
          </>
        }
      >
        <label htmlFor={id} className="mb-1.5 block font-medium">
          {label}
        </label>
        <Input ref={input} id={id} readOnly value={link} />
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" onClick={onClose}>
          Done
        </Button>
        <Button onClick={() => void copyLink(link, input.current)}>Copy Link</Button>
      </DialogFooter>
    </>
  )
}

interface InvitedPeopleProps {
  people: readonly Invited[]
  toCorrect: number
  onCorrect: () => void
  onClose: () => void
}

function InvitedPeople({ people, toCorrect, onCorrect, onClose }: InvitedPeopleProps) {
  const linked = linkedOf(people)
  const failedFirst = people.toSorted((one, other) => Number(isFailed(other)) - Number(isFailed(one)))
  const number = summaryOf(people)
  const hasLinks = linked.length > 0
  const advice = `${NO_MAIL_SERVER} Give each person their link yourself: it works once, for ${invitation.lasts}.`
  return (
    <>
      <DialogBody description={hasLinks ? `${number} ${advice}` : number}>
        {hasLinks && (
          <div className="mb-3 flex flex-wrap gap-2">
            <Button
              ref={takeFocus}
              variant="secondary"
              onClick={() => void copyText(linesOf(linked), `${countText(linked.length, 'link')} copied.`)}
            >
              Copy All
            </Button>
            <Button
              variant="secondary"
              onClick={() => saveFile(new Blob([fileOf(linked)], { type: 'text/csv' }), 'invitation-links.csv')}
            >
              Download Links
            </Button>
          </div>
        )}
        <ul aria-label="Invitations" className="mb-4 divide-y">
          {failedFirst.map((one, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- wrong rows may have the same address
            <InvitedPerson key={index} {...one} />
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        {toCorrect > 0 && (
          <Button variant="secondary" onClick={onCorrect}>
            {`Correct ${toCorrect}`}
          </Button>
        )}
        <Button ref={hasLinks ? undefined : takeFocus} onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </>
  )
}

function InvitedPerson(person: Invited) {
  const { email, full_name: name, is_superuser, link, reason } = person
  const input = useRef<HTMLInputElement>(null)
  return (
    // Thousands of rows are fast enough if the browser skips those out of view.
    <li className="py-2 [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto]">
      {name && (
        <>
          <UserText>{name}</UserText>{' '}
        </>
      )}
      <span className={name ? 'text-muted-foreground' : undefined}>
        <UserText>{email}</UserText>
      </span>{' '}
      {is_superuser && <Badge>Superuser</Badge>}
      {reason !== undefined && <p className="text-destructive">{reason}</p>}
      {isMailed(person) && <p className="text-muted-foreground">Invitation sent</p>}
      {typeof link === 'string' && (
        <div className="mt-1 flex gap-2">
          <Input ref={input} readOnly aria-label={`Invitation link for ${email}`} value={link} />
          <Button
            variant="secondary"
            aria-label={`Copy the link for ${email}`}
            onClick={() => void copyLink(link, input.current)}
          >
            Copy
          </Button>
        </div>
      )}
    </li>
  )
}

async function copyLink(link: string, input: HTMLInputElement | null): Promise<void> {
  if (!(await copyText(link, 'Link copied.'))) input?.select()
}

/** Lines have tabs, so that they can be pasted into a spreadsheet. */
const linesOf = (people: readonly Linked[]): string =>
  people.map(({ email, link }) => `${escapeFormulas(email)}\t${link}`).join('\n')

const fileOf = (people: readonly Linked[]): string =>
  toCsv([['email', 'full_name', 'link'], ...people.map(({ email, full_name, link }) => [email, full_name ?? '', link])])
