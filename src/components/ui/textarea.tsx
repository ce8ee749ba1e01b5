import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { inputLook } from './looks'

export function Textarea({ className, ...props }: ComponentProps<'textarea'>) {
  return <textarea {...props} className={clsx(inputLook, 'min-h-20 py-2', className)} />
}
