import * as Primitive from '@radix-ui/react-dropdown-menu'
import type { LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { type NeedsCapability, useOffered } from '@/data/api/capabilities'
import { Link } from './link'

export interface MenuEntry extends NeedsCapability {
  label: string
  icon: LucideIcon
  className?: string
  isCurrent?: boolean
  /** Whether an entry that toggles is on. Such entries keep the menu open. */
  isChecked?: boolean
  to?: NonNullable<LinkProps['to']>
  onSelect?: (button: HTMLElement) => void
}

export interface MenuChoice extends NeedsCapability {
  label: string
  value: string | undefined
  options: readonly { value: string; label: string; icon: LucideIcon }[]
  onChoose: (value: string) => void
}

export interface MenuProps extends Pick<
  ComponentProps<'button'>,
  'id' | 'aria-label' | 'title' | 'disabled' | 'className' | 'children'
> {
  entries: readonly (MenuEntry | MenuChoice)[]
  top?: ReactNode
  side?: 'top' | 'bottom' | undefined
  align: 'start' | 'end'
  menuClassName?: string | undefined
  onOpen?: (() => void) | undefined
}

/** @param props.openedBy how the menu was opened, because Radix was not mounted for that event */
export function RadixMenu(props: MenuProps & { openedBy: 'pointer' | 'key' }) {
  const { entries, top, side, align, menuClassName, onOpen, openedBy, ...button } = props
  const offered = useOffered(entries)
  const trigger = useRef<HTMLButtonElement>(null)
  const focusFirst = useRef(openedBy === 'key')
  const reportFirst = useEffectEvent(() => onOpen?.())
  useEffect(() => reportFirst(), [])
  return (
    // Not modal, so that a click on the page both closes the menu and takes effect.
    <Primitive.Root defaultOpen modal={false} onOpenChange={(isOpen) => isOpen && onOpen?.()}>
      <Primitive.Trigger {...button} ref={trigger} />
      <Primitive.Portal>
        <Primitive.Content
          ref={(content) => {
            if (!content || !focusFirst.current) return
            focusFirst.current = false
            content.querySelector<HTMLElement>('[role^=menuitem]')?.focus({ preventScroll: true })
          }}
          side={side}
          align={align}
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            // The chosen entry may have moved the focus.
            if (document.activeElement !== document.body) event.preventDefault()
          }}
          className={clsx(
            'z-50 max-h-(--radix-dropdown-menu-content-available-height) min-w-40 overflow-y-auto',
            'origin-(--radix-dropdown-menu-content-transform-origin) animate-menu-in rounded-lg border raised p-1 shadow-lg',
            menuClassName,
          )}
        >
          {top}
          {offered.map((entry) =>
            'options' in entry ? (
              <ChoiceEntry key={entry.label} {...entry} />
            ) : (
              <Entry key={entry.label} {...entry} trigger={trigger} />
            ),
          )}
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

function Entry(props: MenuEntry & { trigger: RefObject<HTMLButtonElement | null> }) {
  const { label, icon: Icon, className, isCurrent, isChecked, to, onSelect, trigger } = props
  const isToggle = isChecked !== undefined
  const Item = isToggle ? Primitive.CheckboxItem : Primitive.Item
  const content = (
    <>
      <Icon aria-hidden className="group-aria-[checked=false]/entry:invisible" />
      {label}
    </>
  )
  return (
    <Item
      {...(isToggle && { checked: isChecked })}
      asChild={to !== undefined}
      aria-current={isCurrent || undefined}
      className={clsx(
        'group/entry flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 outline-none select-none pointer-coarse:min-h-11',
        'data-highlighted:bg-muted [&_svg]:size-4 [&_svg]:text-muted-foreground',
        className,
      )}
      onSelect={(event) => {
        if (isToggle) event.preventDefault()
        if (trigger.current) onSelect?.(trigger.current)
      }}
    >
      {to === undefined ? content : <Link to={to}>{content}</Link>}
    </Item>
  )
}

function ChoiceEntry({ label, value, options, onChoose }: MenuChoice) {
  return (
    <Primitive.RadioGroup
      aria-label={label}
      value={value}
      onValueChange={onChoose}
      className="mt-1 flex items-center gap-0.5 border-y py-1 pl-2"
    >
      <span aria-hidden className="flex-1">
        {label}
      </span>
      {options.map(({ value: option, label: name, icon: Icon }) => (
        <Primitive.RadioItem
          key={option}
          value={option}
          aria-label={`${label}: ${name}`}
          title={name}
          className={clsx(
            'grid size-8 place-items-center rounded-md text-muted-foreground outline-none pointer-coarse:size-11 [&_svg]:size-4',
            'data-[state=checked]:bg-muted data-[state=checked]:text-foreground data-highlighted:outline-2 data-highlighted:-outline-offset-2 data-highlighted:outline-ring',
          )}
        >
          <Icon aria-hidden />
        </Primitive.RadioItem>
      ))}
    </Primitive.RadioGroup>
  )
}
