import { X } from 'lucide-react'
import { type ClipboardEvent, type KeyboardEvent, useEffect, useId, useRef } from 'react'
import { type Control, type FieldPath, type FieldValues, useController } from 'react-hook-form'
import { Field } from '@/components/form/field'
import { Input } from '@/components/ui/input'
import { UserText } from '@/components/ui/user-text'
import { joinAddresses, keyOf, pastedAddresses, reasonAgainst, splitAddresses } from './addresses'

interface AddressesFieldProps<Values extends FieldValues> {
  control: Control<Values>
  name: FieldPath<Values>
  label: string
  /** The reasons of the server, by `keyOf`. */
  refused: ReadonlyMap<string, string>
}

/**
 * One address, or several, which become chips. The value of the field is the whole text, so that drafts keep it.
 */
export function AddressesField<Values extends FieldValues>(props: AddressesFieldProps<Values>) {
  const { control, name, label, refused } = props
  const id = useId()
  const { field, formState } = useController({ control, name })
  const text = String(field.value)
  const several = splitAddresses(text)
  const chips = several?.chips ?? []

  const list = useRef<HTMLUListElement>(null)
  const { submitCount } = formState
  useEffect(() => {
    if (submitCount > 0) list.current?.querySelector('[data-wrong]')?.scrollIntoView({ block: 'nearest' })
  }, [submitCount])

  const write = (all: readonly string[], typed: string) => field.onChange(joinAddresses(all, typed))

  function remove(index: number): void {
    write(chips.toSpliced(index, 1), several?.typed ?? '')
    document.getElementById(id)?.focus()
  }

  /** Keeps the lines of the text, which a text field would join. Several addresses become chips, with the last one. */
  function paste(event: ClipboardEvent<HTMLInputElement>): void {
    const pasted = event.clipboardData.getData('text')
    if (!/[\s,;<]/.test(pasted.trim())) return
    event.preventDefault()
    const { value, selectionStart, selectionEnd } = event.currentTarget
    const before = value.slice(0, selectionStart ?? value.length)
    const after = value.slice(selectionEnd ?? value.length)
    const addresses = pastedAddresses(pasted)
    write(chips, `${before}${addresses.join(', ')}${addresses.length > 1 ? ', ' : ''}${after}`)
  }

  return (
    <Field id={id} control={control} name={name} label={label} required>
      {(state) => (
        <>
          {chips.length > 0 && (
            <ul ref={list} aria-label="Addresses" className="mb-2 flex max-h-60 flex-wrap gap-1.5 overflow-y-auto">
              {chips.map((address, index) => (
                <Chip
                  // oxlint-disable-next-line react/no-array-index-key -- an address may be given twice
                  key={`${index} ${address}`}
                  address={address}
                  reason={refused.get(keyOf(address)) ?? reasonAgainst(address, chips.slice(0, index))}
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

interface ChipProps {
  address: string
  reason: string | undefined
  onRemove: () => void
}

function Chip({ address, reason, onRemove }: ChipProps) {
  return (
    <li
      data-wrong={reason !== undefined || undefined}
      className="flex min-w-0 items-center rounded-md border bg-surface pl-2 data-wrong:border-destructive"
    >
      <span className="min-w-0 py-0.5">
        <UserText>{address}</UserText>
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
