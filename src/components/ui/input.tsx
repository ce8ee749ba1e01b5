import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlHeight, inputClass } from './classes'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={clsx(inputClass, controlHeight, className)} />
}
