import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlHeight, inputLook } from './looks'

export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select {...props} className={clsx(inputLook, controlHeight, className)} />
}
