import { TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'

export function Alert({ children }: { children: ReactNode }) {
  return (
    <div className="flex gap-3 rounded-lg border bg-muted px-4 py-3">
      <TriangleAlert aria-hidden className="mt-0.5 size-4 shrink-0 text-destructive" />
      <div>{children}</div>
    </div>
  )
}
