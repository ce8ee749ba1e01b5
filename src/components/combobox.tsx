/* oxlint-disable jsx-a11y/prefer-tag-over-role, jsx-a11y/click-events-have-key-events, jsx-a11y/interactive-supports-focus, jsx-a11y/role-has-required-aria-props -- roles of a WAI-ARIA combobox, whose input has the focus and the keys */
import { clsx } from 'clsx'
import { Check, type LucideIcon } from 'lucide-react'
import { type ComponentPropsWithRef, type KeyboardEvent, type Ref, useId, useState } from 'react'
import { Avatar, type AvatarProps } from './ui/avatar'
import { controlHeight, fieldClass } from './ui/classes'
import { UserText } from './ui/user-text'

export interface Choice {
  id: string
  /** Choices with the same group are together, below a heading, unless it is empty. */
  group: string
  icon?: LucideIcon
  person?: AvatarProps['user'] | undefined
  name: string
  note?: string | undefined
  isChosen?: boolean
  onPreload?: (() => void) | undefined
  onChoose: () => void
}

interface ComboboxProps {
  label: string
  text: string
  onText: (text: string) => void
  choices: readonly Choice[]
  /** Shown and announced if there are no choices, unless it is empty. */
  status: string
  isOpen: boolean
  /** Called by a click on the field or by the arrow keys while the list is hidden. */
  onOpen?: () => void
  onLeave?: () => void
  field?: ComponentPropsWithRef<'input'>
  fieldClassName?: string
  listClassName: string
  listRef?: Ref<HTMLDivElement>
}

/** A WAI-ARIA combobox with a listbox. Enter chooses the first choice. */
export function Combobox(props: ComboboxProps) {
  const { label, text, onText, status, isOpen, onOpen, onLeave, field, listClassName, listRef } = props
  const { fieldClassName = `${fieldClass} ${controlHeight}` } = props
  const id = useId()
  const [activeId, setActiveId] = useState<string>()
  const groups = Map.groupBy(props.choices, ({ group }) => group)
  const choices = [...groups.values()].flat()
  const found = choices.findIndex((choice) => choice.id === activeId)
  const active = found === -1 ? 0 : found
  const optionId = (index: number) => `${id}-${index}`

  function onKeyDown(event: KeyboardEvent): void {
    const { key } = event
    if (key === 'ArrowDown' || key === 'ArrowUp') {
      event.preventDefault()
      if (!isOpen) return onOpen?.()
      const next = (active + (key === 'ArrowDown' ? 1 : -1) + choices.length) % choices.length
      setActiveId(choices[next]?.id)
      choices[next]?.onPreload?.()
      document.getElementById(optionId(next))?.scrollIntoView({ block: 'nearest' })
    } else if (key === 'Enter' && isOpen) {
      event.preventDefault()
      choices[active]?.onChoose()
    } else if (key === 'Escape' && isOpen && onLeave) {
      event.stopPropagation()
      onLeave()
    }
  }

  const isExpanded = isOpen && choices.length > 0
  return (
    <>
      <input
        {...(field ?? { 'aria-label': label, placeholder: label, enterKeyHint: 'go' })}
        role="combobox"
        aria-autocomplete="list"
        aria-expanded={isExpanded}
        aria-controls={`${id}-list`}
        aria-activedescendant={isExpanded ? optionId(active) : undefined}
        data-closes-list={(isOpen && onLeave !== undefined) || undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        className={fieldClassName}
        value={text}
        onChange={({ target }) => {
          setActiveId(undefined)
          onText(target.value)
        }}
        onKeyDown={onKeyDown}
        onClick={onOpen}
        onBlur={(event) => {
          onLeave?.()
          field?.onBlur?.(event)
        }}
      />
      <div ref={listRef} hidden={!isOpen} className={clsx('flex flex-col', listClassName)}>
        <div
          id={`${id}-list`}
          role="listbox"
          aria-label={field ? 'Choices' : label}
          className="min-h-0 overflow-y-auto"
        >
          {[...groups].map(([group, members], place) => (
            <div key={group} {...(group !== '' && { role: 'group', 'aria-labelledby': `${id}-group-${place}` })}>
              {group !== '' && (
                <div id={`${id}-group-${place}`} className="px-3 pt-3 pb-1 text-xs font-medium text-muted-foreground">
                  {group}
                </div>
              )}
              {members.map((choice) => (
                <div
                  key={choice.id}
                  id={optionId(choices.indexOf(choice))}
                  role="option"
                  aria-selected={choice === choices[active]}
                  aria-current={choice.isChosen || undefined}
                  className="mx-1 flex min-h-9 cursor-pointer items-center gap-3 rounded-md px-2 py-1.5 aria-selected:bg-muted pointer-coarse:min-h-11"
                  // Without `preventDefault`, the input would lose the focus.
                  onPointerDown={(event) => {
                    event.preventDefault()
                    choice.onPreload?.()
                  }}
                  onPointerMove={() => {
                    if (choice.id === activeId) return
                    setActiveId(choice.id)
                    choice.onPreload?.()
                  }}
                  onClick={choice.onChoose}
                >
                  <ChoiceLabel {...choice} />
                </div>
              ))}
            </div>
          ))}
        </div>
        <p role="status" className={clsx('px-3 py-3 text-muted-foreground', status === '' && 'sr-only')}>
          {status}
        </p>
      </div>
    </>
  )
}

function ChoiceLabel({ icon: Icon, person, name, note, isChosen = false }: Choice) {
  return (
    <>
      {Icon && <Icon aria-hidden className="size-4 shrink-0 text-muted-foreground" />}
      {person && (
        <span className="-mx-1">
          <Avatar user={person} size="small" />
        </span>
      )}
      <span className="min-w-0">
        <UserText show="one line">{name}</UserText>
        {note !== undefined && (
          <span className="block text-xs text-muted-foreground">
            <UserText show="one line">{note}</UserText>
          </span>
        )}
      </span>
      {isChosen && <Check aria-hidden className="ml-auto size-4 shrink-0" />}
    </>
  )
}
