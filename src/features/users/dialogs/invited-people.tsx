import { type ReactNode, useId, useLayoutEffect, useRef, useState } from 'react'
import { DialogBody, DialogFooter } from '@/components/dialog/dialog'
import { ASK_TO_SAVE, ShownOnce } from '@/components/dialog/shown-once'
import { Badge } from '@/components/ui/badge'
import { Button } from '@/components/ui/button'
import { Input } from '@/components/ui/input'
import { UserText } from '@/components/ui/user-text'
import type { PageDialogControl } from '@/components/use-dialog'
import { copyText } from '@/browser/copy-text'
import { isolate } from '@/lib/isolate'
import { NO_MAIL_SERVER } from '@/lib/no-mail-server'
import { countText } from '@/lib/range-text'
import { saveFile } from '@/browser/save-file'
import { toast } from '@/browser/toast'
import { toCsv, withoutFormulas } from '../people/csv'

/** What is said about a single link. */
interface LinkWords {
  label: string
  lasts: string
  another: string
}

const invitation: LinkWords = {
  label: 'Invitation link',
  lasts: '7 days',
  another: 'Resend Invitation gives a new one.',
}

export const passwordReset: LinkWords = {
  label: 'Password reset link',
  lasts: 'one hour',
  another: 'Send Password Reset gives a new one.',
}

/** What became of the invitation of a person. */
export interface Invited {
  address: string
  name?: string | null
  isSuperuser?: boolean
  /** To hand over; `null` if it was mailed. */
  link?: string | null
  /** Why this person was not invited. */
  reason?: string
}

type Linked = Invited & { link: string }

const linkedOf = (people: readonly Invited[]): Linked[] =>
  people.filter((one): one is Linked => typeof one.link === 'string')

/**
 * Reports what became of invitations. Without a mail server it shows the links, and keeps the dialog open until they are
 * saved.
 * @param words of a link that is no invitation
 * @returns `result`, which offers to correct others, and `onClose` for the dialog; `forget` removes the result
 */
export function useInvitedPeople({ isCurrent, onDone, onClose }: PageDialogControl, words = invitation) {
  const [people, setPeople] = useState<readonly Invited[]>([])
  const [isSaved, setIsSaved] = useState(false)
  const linked = linkedOf(people)
  const ask = () => askToSave(linked.length)
  const props = { isSaved, onSavedChange: setIsSaved, ask, onClose }
  const [one] = linked
  const show = (others?: Others): ReactNode =>
    people.length === 1 && one ? (
      <OneLink {...props} {...words} person={one} />
    ) : (
      <InvitedPeople {...props} people={people} others={others} />
    )
  return {
    result: people.length > 0 ? show : undefined,
    forget: () => {
      setPeople([])
      setIsSaved(false)
    },
    onClose: linked.length > 0 && !isSaved ? ask : onClose,
    onInvited: (invited: readonly Invited[]) => {
      if (invited.length === 1 && invited[0]?.link === null) {
        toast.success('Invitation sent.')
        void onDone()
      } else if (isCurrent()) setPeople(invited)
      else reportLate(invited, words)
    },
  }
}

function askToSave(number: number): void {
  if (number === 1) toast.error('Save the link first.', 'It is not shown again.', ASK_TO_SAVE)
  else toast.error('Save the links first.', 'They are not shown again.', ASK_TO_SAVE)
}

/** Those who are left in the table. */
interface Others {
  number: number
  onCorrect: () => void
}

interface ResultProps {
  isSaved: boolean
  onSavedChange: (isSaved: boolean) => void
  ask: () => void
  onClose: () => void
}

type OneLinkProps = ResultProps & LinkWords & { person: Linked }

function OneLink({ person: { address, link }, label, lasts, onClose, ...saved }: OneLinkProps) {
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const noteSaved = (isCopied: boolean) => isCopied && saved.onSavedChange(true)
  // Takes the focus of the removed button.
  useLayoutEffect(() => {
    input.current?.focus()
    input.current?.select()
  }, [])
  return (
    <>
      <DialogBody
        description={
          <>
            {`${NO_MAIL_SERVER} Give this link to`} <UserText>{address}</UserText>
            {` yourself: it works once, for ${lasts}.`}
          </>
        }
      >
        <label htmlFor={id} className="mb-1.5 block font-medium">
          {label}
        </label>
        <Input ref={input} id={id} readOnly value={link} />
        <ShownOnce {...saved} label="I have saved this link" />
      </DialogBody>
      <DialogFooter>
        <Button variant="secondary" disabled={!saved.isSaved} onClick={onClose}>
          Done
        </Button>
        <Button onClick={() => void copyLink(link, input.current).then(noteSaved)}>Copy Link</Button>
      </DialogFooter>
    </>
  )
}

interface InvitedPeopleProps extends ResultProps {
  people: readonly Invited[]
  others: Others | undefined
}

function InvitedPeople({ people, others, onClose, ...saved }: InvitedPeopleProps) {
  const first = useRef<HTMLButtonElement>(null)
  // Takes the focus of the removed button.
  useLayoutEffect(() => first.current?.focus(), [])
  const noteSaved = (isCopied: boolean) => isCopied && saved.onSavedChange(true)
  const linked = linkedOf(people)
  const failed = people.filter(({ reason }) => reason !== undefined)
  const invited = people.filter(({ reason }) => reason === undefined)
  const number = `${countText(invited.length, 'person', 'people')} invited${failed.length > 0 ? `, ${failed.length} not` : ''}.`
  const hasLinks = linked.length > 0
  const advice = `${NO_MAIL_SERVER} Give each person their link yourself: it works once, for ${invitation.lasts}.`
  return (
    <>
      <DialogBody description={hasLinks ? `${number} ${advice}` : number}>
        {hasLinks && (
          <>
            <div className="flex flex-wrap gap-2">
              <Button
                ref={first}
                variant="secondary"
                onClick={() =>
                  void copyText(linesOf(linked), `${countText(linked.length, 'link')} copied.`).then(noteSaved)
                }
              >
                Copy All
              </Button>
              <Button
                variant="secondary"
                onClick={() => {
                  saveFile(new Blob([fileOf(linked)], { type: 'text/csv' }), 'invitation-links.csv')
                  saved.onSavedChange(true)
                }}
              >
                Download Links
              </Button>
            </div>
            <ShownOnce {...saved} label="I have saved these links" />
          </>
        )}
        <ul aria-label="Invitations" className="mb-4 divide-y">
          {[...failed, ...invited].map((one, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- wrong rows may have the same address
            <InvitedPerson key={index} {...one} />
          ))}
        </ul>
      </DialogBody>
      <DialogFooter>
        {others && (
          <Button variant="secondary" disabled={hasLinks && !saved.isSaved} onClick={others.onCorrect}>
            {`Correct ${others.number}`}
          </Button>
        )}
        <Button ref={hasLinks ? undefined : first} disabled={hasLinks && !saved.isSaved} onClick={onClose}>
          Done
        </Button>
      </DialogFooter>
    </>
  )
}

function InvitedPerson({ address, name, isSuperuser, link, reason }: Invited) {
  const input = useRef<HTMLInputElement>(null)
  return (
    // Of thousands, only those in view cost time.
    <li className="py-2 [contain-intrinsic-size:auto_4.5rem] [content-visibility:auto]">
      {name && (
        <>
          <UserText>{name}</UserText>{' '}
        </>
      )}
      <span className={name ? 'text-muted-foreground' : undefined}>
        <UserText>{address}</UserText>
      </span>{' '}
      {isSuperuser && <Badge>Superuser</Badge>}
      {reason !== undefined && <p className="text-destructive">Not invited: {reason}</p>}
      {reason === undefined && typeof link !== 'string' && <p className="text-muted-foreground">Invitation sent</p>}
      {typeof link === 'string' && (
        <div className="mt-1 flex gap-2">
          <Input ref={input} readOnly aria-label={`Invitation link for ${address}`} value={link} />
          <Button
            variant="secondary"
            aria-label={`Copy the link for ${address}`}
            onClick={() => void copyLink(link, input.current)}
          >
            Copy
          </Button>
        </div>
      )}
    </li>
  )
}

/** Copies a link, or selects it where the browser allows no copying. @returns whether it was copied */
async function copyLink(link: string, input: HTMLInputElement | null): Promise<boolean> {
  const isCopied = await copyText(link, 'Link copied.')
  if (!isCopied) input?.select()
  return isCopied
}

/** Also to paste into a spreadsheet. */
const linesOf = (people: readonly Linked[]): string =>
  people.map(({ address, link }) => `${withoutFormulas(address)}\t${link}`).join('\n')

/** With the headings of an export. */
const fileOf = (people: readonly Linked[]): string =>
  toCsv([['email', 'full_name', 'link'], ...people.map(({ address, name, link }) => [address, name ?? '', link])])

/** For a dialog that was closed meanwhile. */
function reportLate(invited: readonly Invited[], words: LinkWords): void {
  const [one] = invited
  const failed = invited.filter(({ reason }) => reason !== undefined).length
  const sent = invited.length - failed
  const people = sent === 1 ? 'One person was' : `${sent} people were`
  if (one && invited.length === 1)
    toast.error(`The link for ${isolate(one.address)} was not shown, because the dialog was closed.`, words.another)
  else if (linkedOf(invited).length > 0)
    toast.error(`${people} invited, but the links were not shown.`, 'Resend Invitation gives new ones.')
  else if (failed > 0) toast.error(`${people} invited, and ${failed} could not be invited.`)
  else toast.success('Invitations sent.')
}
