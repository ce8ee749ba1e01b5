import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { inputLook } from './input'

export function Select({ className, ...props }: ComponentProps<'select'>) {
  return <select {...props} className={clsx(inputLook, 'h-9 pointer-coarse:h-11', className)} />
}
