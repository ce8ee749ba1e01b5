import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { fieldClass } from './classes'

/** Ctrl+Enter or Cmd+Enter submits the form, because Enter begins a line. */
export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return (
    <textarea
      {...props}
      onKeyDown={({ key, ctrlKey, metaKey, currentTarget: { form } }) => {
        if (key === 'Enter' && (ctrlKey || metaKey)) form?.querySelector<HTMLElement>('[type=submit]')?.click()
      }}
      className={clsx(fieldClass, 'min-h-20 py-2', className)}
    />
  )
}
