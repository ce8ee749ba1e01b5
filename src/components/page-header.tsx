import type { ReactNode } from 'react'

/** The top of a page. Its heading gets the focus after navigation. @param children actions */
export function PageHeader({
  title,
  description,
  children,
}: {
  title: ReactNode
  description?: string
  children?: ReactNode
}) {
  return (
    <header className="flex flex-wrap items-end justify-between gap-4">
      <div className="min-w-0">
        <h1 tabIndex={-1} className="text-2xl font-semibold tracking-tight wrap-anywhere">
          {title}
        </h1>
        {description !== undefined && <p className="mt-1 text-muted-foreground">{description}</p>}
      </div>
      {children !== undefined && <div className="print:hidden">{children}</div>}
    </header>
  )
}
