import type { ReactNode } from 'react'

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
