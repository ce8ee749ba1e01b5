import type { ReactNode } from 'react'

/** Its heading gets the focus after navigation. */
export function PageHeader(props: { title: ReactNode; description?: string; children?: ReactNode }) {
  const { title, description, children } = props
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
