import { clsx } from 'clsx'
import type { ComponentProps } from 'react'

/** 16 px on touch screens: below that, phones zoom in on focus. */
export const inputLook =
  'block w-full rounded-md border border-input bg-background px-3 text-sm text-foreground pointer-coarse:text-base ' +
  'placeholder:text-muted-foreground aria-invalid:border-destructive disabled:cursor-not-allowed disabled:opacity-50'

export function Input({ className, ...props }: ComponentProps<'input'>) {
  return <input {...props} className={clsx(inputLook, 'h-9 pointer-coarse:h-11', className)} />
}
