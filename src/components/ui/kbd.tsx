import type { ReactNode } from 'react'

export function Kbd({ children }: { children: ReactNode }) {
  return (
    <kbd className="rounded border bg-surface px-1.5 py-0.5 font-mono text-xs leading-4 text-muted-foreground">
      {children}
    </kbd>
  )
}
