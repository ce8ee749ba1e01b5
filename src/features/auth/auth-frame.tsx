import { type ReactNode, useEffect, useLayoutEffect } from 'react'
import { Link } from '@/components/link'
import { Logo } from '@/components/logo'
import { releaseHeldEvents } from '@/data/held-events'
import { preloadWhenIdle } from '@/data/preload'

export function AuthFrame({ children }: { children: ReactNode }) {
  // After hydration, events that were held back can be handled.
  useEffect(releaseHeldEvents, [])
  // Colours the room of the scroll bar like this page. A rule with `:has` would make each dialog style all rows again.
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    dataset.guest = ''
    return () => void delete dataset.guest
  }, [])
  return (
    <div className="flex min-h-dvh flex-col items-center bg-surface px-4 py-8 sm:justify-center dark:bg-background">
      <header className="mb-6">
        <Link to="/" className="flex items-center rounded-md pointer-coarse:h-11">
          <Logo />
        </Link>
      </header>
      {/* Preloads the next pages while the person uses this one, when they are likely to be needed. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- these are events of its controls */}
      <main
        onFocus={preloadWhenIdle}
        onInput={preloadWhenIdle}
        className="@container w-full max-w-sm rounded-xl border bg-background p-5 raised shadow-sm min-[22rem]:p-6 sm:p-8"
      >
        {children}
      </main>
    </div>
  )
}
