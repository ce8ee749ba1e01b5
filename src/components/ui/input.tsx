import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlHeight, fieldClass } from './classes'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={clsx(fieldClass, controlHeight, className)} />
}
