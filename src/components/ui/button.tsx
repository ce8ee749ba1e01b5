import { clsx } from 'clsx'
import { LoaderCircle } from 'lucide-react'
import { type ComponentProps, useImperativeHandle, useLayoutEffect, useRef } from 'react'
import { controlHeight } from './classes'
import { Tooltip } from './tooltip'

const base =
  'inline-flex items-center justify-center gap-2 rounded-md font-medium whitespace-nowrap transition-[color,background-color,border-color,scale] duration-100 ' +
  'motion-safe:not-disabled:active:scale-97 disabled:cursor-not-allowed disabled:opacity-50 [&_svg]:size-4 [&_svg]:shrink-0 tiny:max-w-full tiny:whitespace-normal'

const variants = {
  primary: 'bg-primary text-primary-foreground not-disabled:hover:bg-primary-hover',
  secondary: 'border bg-background text-foreground shadow-xs not-disabled:hover:bg-muted',
  destructive: 'bg-destructive text-destructive-foreground not-disabled:hover:bg-destructive-hover',
  ghost: 'text-foreground not-disabled:hover:bg-muted',
}

/** Large text may need several lines. */
const lineHeight = `${controlHeight} tiny:h-auto tiny:min-h-11 tiny:py-1`

const sizes = {
  default: `px-4 ${lineHeight}`,
  compact: `px-2 ${lineHeight}`,
  icon: 'size-8 pointer-coarse:size-11',
}

export interface ButtonProps extends ComponentProps<'button'> {
  variant?: keyof typeof variants
  size?: keyof typeof sizes
  /** Whether its action is running. The button shows a spinner, ignores clicks, and keeps its focus and width. */
  pending?: boolean
}

/** If a focused button is disabled, the panel or dialog gets the focus, which browsers would drop. */
export function Button(props: ButtonProps) {
  const { variant = 'primary', size = 'default', pending = false, type = 'button', className, ref, ...rest } = props
  const button = useRef<HTMLButtonElement>(null)
  useImperativeHandle(ref, () => button.current as HTMLButtonElement, [])
  useLayoutEffect(() => {
    if (rest.disabled && document.activeElement === button.current)
      button.current?.closest<HTMLElement>('[tabindex]')?.focus({ preventScroll: true })
  }, [rest.disabled])
  return (
    <button
      {...rest}
      ref={button}
      // oxlint-disable-next-line react/button-has-type -- it has one, by default `button`
      type={type}
      className={buttonClass(variant, size, clsx(className, pending && 'relative'))}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={pending ? (event) => event.preventDefault() : rest.onClick}
    >
      {pending && <LoaderCircle aria-hidden className="absolute animate-spin" />}
      <span className={pending ? 'inline-flex items-center gap-2 opacity-0' : 'contents'}>{rest.children}</span>
    </button>
  )
}

export function buttonClass(variant: keyof typeof variants, size: keyof typeof sizes = 'default', className?: string) {
  return clsx(base, variants[variant], sizes[size], className)
}

interface IconButtonProps extends Omit<ButtonProps, 'variant' | 'size' | 'title'> {
  label: string
  /** The shortcut, such as `Ctrl+B`, which follows the label. */
  keys?: string
}

export function IconButton({ label, keys, className, ...button }: IconButtonProps) {
  return (
    <Tooltip label={keys === undefined ? label : `${label} (${keys})`} className={className}>
      <Button variant="ghost" size="icon" aria-label={label} {...button} />
    </Tooltip>
  )
}
