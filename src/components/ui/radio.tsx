import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { checkClass } from './classes'

export function Radio({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} type="radio" className={clsx(checkClass, 'rounded-full before:rounded-full', className)} />
}
