import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

export function EmptyState(props: { icon: LucideIcon; title: string; text: string; children: ReactNode }) {
  const { icon: Icon, title, text, children } = props
  return (
    <div data-empty-state className="flex flex-col items-center rounded-lg border border-dashed px-6 py-16 text-center">
      <span className="mb-4 rounded-full bg-muted p-3">
        <Icon aria-hidden className="size-6 text-muted-foreground" />
      </span>
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 mb-6 text-muted-foreground">{text}</p>
      {children}
    </div>
  )
}
