import type { ReactNode } from 'react'
import { Button, type ButtonProps } from './ui/button'

interface PageHeaderProps {
  title: ReactNode
  description?: string
  children?: ReactNode
}

/** Its heading gets the focus after navigation. */
export function PageHeader({ title, description, children }: PageHeaderProps) {
  return (
    <header className="flex min-h-9 flex-wrap items-center justify-between gap-x-4 gap-y-2">
      <div className="min-w-0 flex-1 basis-40">
        <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight wrap-anywhere">
          {title}
        </h1>
        {description !== undefined && <p className="text-muted-foreground">{description}</p>}
      </div>
      {children !== undefined && <div className="print:hidden">{children}</div>}
    </header>
  )
}

/** A button to add a row. On a phone, it is at the bottom of the window, within reach of the thumb. */
export function AddButton(props: ButtonProps) {
  return (
    <div className="max-md:fixed max-md:inset-x-0 max-md:bottom-0 max-md:z-20 max-md:border-t max-md:bg-background max-md:px-4 max-md:pt-2 max-md:pb-[calc(0.5rem+env(safe-area-inset-bottom))] max-md:in-[main:has([data-selection-bar])]:hidden print:hidden">
      <Button {...props} className="max-md:w-full" />
    </div>
  )
}
