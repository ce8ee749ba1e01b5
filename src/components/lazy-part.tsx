import { createAtom, useSelector } from '@tanstack/react-store'
import { type ComponentType, lazy, Suspense, useEffect, useState } from 'react'
import { registerPreload } from '@/lib/preload'
import { CodeError, isServed, reloadWhereOutdated } from '@/lib/reload-outdated'
import { toast } from '@/lib/toast'
import { Button } from './ui/button'

/** A component whose code loads on first render, or earlier with `preload`. */
export interface LazyPart<Props extends object> {
  Part: ComponentType<Props & FailureProps>
  preload: () => Promise<void>
}

interface FailureProps {
  /** Called when the code cannot be loaded. Without it, the part shows a retry button. */
  onFailure?: () => void
  onRetry?: () => void
}

/** @returns a function that loads the code once; after a failure, it tries again */
function loadOnce(load: () => Promise<void>): () => Promise<void> {
  let loading: Promise<void> | undefined

  async function start(): Promise<void> {
    try {
      // Chromium 150 caches a failed import until the page reloads. A local server works offline.
      if (!navigator.onLine && !(await isServed())) throw new TypeError('There is no network')
      await load()
    } catch (error) {
      loading = undefined
      throw new CodeError(error)
    }
  }

  function preload(): Promise<void> {
    loading ??= start()
    return loading
  }

  registerPreload(preload)
  return preload
}

/** The component of a route. The router preloads it before it renders it, and renders `RouteError` if that fails. */
export function lazyPage(load: () => Promise<ComponentType>) {
  let Loaded: ComponentType | undefined
  const preload = loadOnce(async () => {
    Loaded = await load()
  })
  return Object.assign(() => Loaded && <Loaded />, { preload })
}

/** Loads code lazily. @param Failure rendered when the code cannot be loaded */
export function lazyPart<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  Failure: ComponentType<FailureProps & { error: unknown }> = LoadFailure,
): LazyPart<Props> {
  let Loaded: ComponentType<Props> | undefined
  const preload = loadOnce(async () => {
    Loaded = await load()
  })

  function newAttempt(): { Content: ComponentType<Props & FailureProps> } {
    if (Loaded) return { Content: Loaded }
    return {
      Content: lazy(async () => {
        try {
          await preload()
          return { default: Loaded as ComponentType<Props> }
        } catch (error) {
          return { default: (props: FailureProps) => <Failure {...props} error={error} /> }
        }
      }),
    }
  }

  function Part(props: Props & FailureProps) {
    const [{ Content }, setAttempt] = useState(newAttempt)
    return (
      <Suspense fallback={<Waiting />}>
        <Content {...props} onRetry={() => setAttempt(newAttempt())} />
      </Suspense>
    )
  }

  return { Part, preload }
}

function LoadFailure({ error, onFailure, onRetry }: FailureProps & { error: unknown }) {
  useEffect(() => {
    let isUnmounted = false
    async function report(): Promise<void> {
      if ((await reloadWhereOutdated(error)) || isUnmounted) return
      toast.error('This could not be loaded. Check your connection and try again.')
      onFailure?.()
    }
    void report()
    return () => {
      isUnmounted = true
    }
    // Once for each failure.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [error])
  if (onFailure) return null
  return (
    <>
      <p className="mb-4">This part could not be loaded.</p>
      <Button
        onClick={({ currentTarget }) => {
          // Moves the focus, as the button disappears.
          currentTarget.closest<HTMLElement>('[tabindex]')?.focus()
          onRetry?.()
        }}
      >
        Try again
      </Button>
    </>
  )
}

/** The number of parts whose code is loading. */
const waiting = createAtom(0)

/** Rendered while code loads. */
function Waiting(): null {
  useEffect(() => {
    waiting.set(waiting.get() + 1)
    return () => waiting.set(waiting.get() - 1)
  }, [])
  return null
}

export function useIsWaitingForCode(): boolean {
  return useSelector(waiting, (count) => count > 0)
}
