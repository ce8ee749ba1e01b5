import type { ReactNode } from 'react'

export function SettingsSection({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <section className="max-w-lg">
      <h2 className="text-lg font-semibold">{title}</h2>
      <p className="mt-1 mb-6 text-muted-foreground">{text}</p>
      {children}
    </section>
  )
}
