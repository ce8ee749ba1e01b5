import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field } from '@/components/form/field'
import { Input } from '@/components/ui/input'
import { UserText } from '@/components/ui/user-text'
import { toast } from '@/data/toast'
import { joinAddresses, keyOf, MAX_ADDRESSES, pastedAddresses, reasonsAgainst, splitAddresses } from './addresses'
import type { Mailbox } from './mailboxes'

interface AddressesFieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  /** The reasons of the server, by `keyOf`. */
  refused: ReadonlyMap<string, string>
  /** The field for the name of a single person, whose address is the text. */
  nameOfOne: { read: () => string; write: (name: string) => void }
}

/**
 * One address, or several, which become chips. The value of the field is the whole text, so that drafts keep it.
 */
export function AddressesField<Values extends FieldValues>(props: AddressesFieldProps<Values>) {
  const { control, name, label, refused, nameOfOne } = props
  const id = useId()
  const { field, formState } = useController({ control, name })
  const text = String(field.value)
  const several = splitAddresses(text)
  const chips = several?.chips ?? []
  const reasons = reasonsAgainst(chips)

  const list = useRef<HTMLUListElement>(null)
  const { submitCount } = formState
  useEffect(() => {
    if (submitCount > 0) list.current?.querySelector('[data-wrong]')?.scrollIntoView({ block: 'nearest' })
  }, [submitCount])

  function write(all: readonly Mailbox[], typed: string): void {
    const joined = joinAddresses(all, typed)
    const next = splitAddresses(joined)
    if (next) {
      // Until now, the first one was the only one.
      const ownName = several ? '' : nameOfOne.read().trim()
      const named = next.chips.map((one, index) =>
        index === 0 && one.name === null && ownName !== '' && text.trimStart().startsWith(one.address)
          ? { ...one, name: ownName }
          : one,
      )
      field.onChange(joinAddresses(named, next.typed))
    } else {
      const one = joined.trimEnd().endsWith('>') ? pastedAddresses(joined)?.[0] : all[0]
      if (several || typeof one?.name === 'string') nameOfOne.write(one?.name ?? '')
      field.onChange(one?.address ?? joined)
    }
  }

  function remove(index: number): void {
    write(chips.toSpliced(index, 1), several?.typed ?? '')
    document.getElementById(id)?.focus()
  }

  /** Keeps the lines of the text, which a text field would join. Several addresses become chips, with the last one. */
  function paste(event: ClipboardEvent<HTMLInputElement>): void {
    const pasted = event.clipboardData.getData('text')
    const people = pastedAddresses(pasted)
    if (people?.length === 1 && people[0]?.address === pasted.trim()) return
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const before = value.slice(0, selectionStart ?? value.length)
    const after = value.slice(selectionEnd ?? value.length)
    if (people) write(chips, `${before}${joinAddresses(people)}${after}`)
    else toast.error(`At most ${MAX_ADDRESSES} people at a time.`, 'Import CSV takes more.')
  }

  return (
    <Field id={id} control={control} name={name} label={label} required>
      {(state) => (
        <>
          {chips.length > 0 && (
            <ul ref={list} aria-label="Addresses" className="mb-2 flex max-h-60 flex-wrap gap-1.5 overflow-y-auto">
              {chips.map(({ address, name: person }, index) => (
                <Chip
                  // oxlint-disable-next-line react/no-array-index-key -- an address may be given twice
                  key={`${index} ${address}`}
                  address={address}
                  name={person}
                  reason={refused.get(keyOf(address)) ?? reasons[index]}
                  onRemove={() => remove(index)}
                />
              ))}
            </ul>
          )}
          <Input
            {...state}
            ref={field.ref}
            id={id}
            name={name}
            inputMode="email"
            autoCapitalize="none"
            autoComplete="off"
            spellCheck={false}
            dir="auto"
            value={several?.typed ?? text}
            onChange={({ target }) => write(chips, target.value)}
            onBlur={field.onBlur}
            onPaste={paste}
            onKeyDown={(event) => {
              if (event.key !== 'Backspace' || event.currentTarget.value !== '' || chips.length === 0) return
              // The key would go on to a last address that becomes text.
              event.preventDefault()
              remove(chips.length - 1)
            }}
          />
        </>
      )}
    </Field>
  )
}

interface ChipProps extends Mailbox {
  reason: string | undefined
  onRemove: () => void
}

function Chip({ address, name, reason, onRemove }: ChipProps) {
  return (
    <li
      data-wrong={reason !== undefined || undefined}
      className="flex min-w-0 items-center rounded-md border bg-surface pl-2 data-wrong:border-destructive"
    >
      <span className="min-w-0 py-0.5">
        {name !== null && (
          <>
            <UserText>{name}</UserText>{' '}
          </>
        )}
        <span className={name === null ? undefined : 'text-muted-foreground'}>
          <UserText>{address}</UserText>
        </span>
        {reason !== undefined && <span className="block text-xs text-destructive">{reason}</span>}
      </span>
      <button
        type="button"
        aria-label={`Remove ${address}`}
        title={`Remove ${address}`}
        className="grid size-7 shrink-0 place-items-center rounded text-muted-foreground hover:text-foreground pointer-coarse:size-11"
        onClick={onRemove}
        onKeyDown={(event: KeyboardEvent) => {
          if (event.key !== 'Backspace' && event.key !== 'Delete') return
          event.preventDefault()
          onRemove()
        }}
      >
        <X aria-hidden className="size-4" />
      </button>
    </li>
  )
}
