import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlHeight, inputLook } from './looks'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={clsx(inputLook, controlHeight, className)} />
}
