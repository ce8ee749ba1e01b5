import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlHeight, fieldClass } from './classes'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={clsx(fieldClass, controlHeight, className)} />
}

/**
 * Ctrl+Enter or Cmd+Enter submits the form, because Enter begins a line.
 * @param props.className replaces the height of a longer text
 */
export function Textarea({ className = 'min-h-20 py-2', ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...props}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget: { form } }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) form?.querySelector<HTMLElement>('[type=submit]')?.click()
      }}
      className={clsx(fieldClass, className)}
    />
  )
}

export function Select({ className, ...props }: ComponentProps<'select'>) {
  return (
    <span className={clsx('relative block', className)}>
      <select {...props} className={clsx(fieldClass, controlHeight, 'shadow-xs appearance-none truncate pr-8')} />
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2.5 size-4 -translate-y-1/2 text-muted-foreground"
      />
    </span>
  )
}
