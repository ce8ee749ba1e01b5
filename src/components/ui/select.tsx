import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlHeight, inputClass } from './classes'

export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select {...props} className={clsx(inputClass, controlHeight, className)} />
}
