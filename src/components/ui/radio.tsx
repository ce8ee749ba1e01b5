import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { checkLook } from './looks'

export function Radio({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} type="radio" className={clsx(checkLook, 'rounded-full before:rounded-full', className)} />
}
