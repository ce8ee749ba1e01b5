import type { ReactNode } from 'react'

/** A filter with its label: above it on a narrow screen, before it on a wide one. @param props.id of the input */
export function FilterField({ id, label, children }: { id: string; label: string; children: ReactNode }) {
  return (
    <div className="max-md:w-[calc(50%-0.25rem)] md:flex md:items-center md:gap-1.5">
      <label htmlFor={id} className="whitespace-nowrap text-muted-foreground max-md:mb-1 max-md:block max-md:text-xs">
        {label}
      </label>
      {children}
    </div>
  )
}
