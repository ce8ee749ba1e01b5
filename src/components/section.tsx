import { type ReactNode, useId } from 'react'
import { Dash } from './ui/missing'

export function Section({ title, action, children }: { title: string; action?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="mt-8">
      <div className="mb-3 flex min-h-9 flex-wrap items-center justify-between gap-2">
        <h2 id={id} className="text-lg font-semibold">
          {title}
        </h2>
        {action}
      </div>
      {children}
    </section>
  )
}

export function TwoColumnSection({ title, text, children }: { title: string; text: string; children?: ReactNode }) {
  return (
    <section className="grid gap-x-10 gap-y-4 pb-6 not-first:border-t not-first:pt-6 lg:grid-cols-[minmax(0,1fr)_minmax(0,2fr)]">
      <header>
        <h2 className="text-lg font-semibold">{title}</h2>
        <p className="mt-1 text-muted-foreground">{text}</p>
      </header>
      <div className="min-w-0 space-y-4 [&_form]:max-w-lg">{children}</div>
    </section>
  )
}

export function Facts({ children }: { children: ReactNode }) {
  return <dl className="flex flex-wrap items-baseline gap-x-6 gap-y-1">{children}</dl>
}

interface DescriptionItemProps {
  name: string
  /** Whether only screen readers get the name, because the value is clear without it. */
  isNameHidden?: boolean
  /** A dash replaces null and empty text. */
  children: ReactNode
}

export function DescriptionItem({ name, isNameHidden = false, children }: DescriptionItemProps) {
  return (
    <div className="flex max-w-full flex-wrap items-baseline gap-x-1.5">
      <dt className={isNameHidden ? 'sr-only' : 'shrink-0 text-muted-foreground'}>{name}</dt>
      <dd className="min-h-lh wrap-anywhere empty:min-w-12">
        {children === null || children === '' ? <Dash /> : children}
      </dd>
    </div>
  )
}
