import { CatchBoundary } from '@tanstack/react-router'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { CodeLoadError } from '@/data/api/errors'
import { loadOnce } from '@/data/preload'
import { reloadWhereOutdated } from '@/data/reload-outdated'
import { toast } from '@/browser/toast'
import { LoadingBar } from './loading-bar'

/** The component of a route. The router preloads it, and renders `RouteError` if that fails. */
export function lazyPage(importPage: () => Promise<ComponentType>) {
  const { load, loaded } = loadOnce(importPage)
  function LazyPage() {
    const Page = loaded()
    // oxlint-disable-next-line react/static-components -- the same component each time
    return Page && <Page />
  }
  return Object.assign(LazyPage, { preload: async () => void (await load()) })
}

interface LazyProps {
  fallback?: ReactNode
  /** Called, after a toast, when the code cannot be loaded. */
  onFailure: () => void
}

/** A component whose code loads when it is needed, such as the dialogs of a feature. @param options of `loadOnce` */
export function lazyPart<Props extends object>(
  importPart: () => Promise<ComponentType<Props>>,
  options?: { preload: boolean },
) {
  const { load, loaded } = loadOnce(importPart, options)
  return function LazyPart({ onFailure, fallback, ...props }: Props & LazyProps) {
    // Already loaded code does not suspend. `lazy` keeps a failure, so each mount creates a new lazy component.
    const [Part] = useState<ComponentType<Props>>(() => loaded() ?? lazy(async () => ({ default: await load() })))
    const isMounted = useRef(false)
    useEffect(() => {
      isMounted.current = true
      return () => {
        isMounted.current = false
      }
    }, [])
    const report = async (error: unknown): Promise<void> => {
      if (!(error instanceof CodeLoadError) || (await reloadWhereOutdated(error)) || !isMounted.current) return
      toast.error('This could not be loaded. Check your connection and try again.')
      onFailure()
    }
    const waiting = (
      <>
        {fallback}
        <LoadingBar delayed />
      </>
    )
    return (
      <CatchBoundary getResetKey={() => null} errorComponent={CodeFailure} onCatch={(error) => void report(error)}>
        <Suspense fallback={waiting}>
          <Part {...(props as Props)} />
        </Suspense>
      </CatchBoundary>
    )
  }
}

function CodeFailure({ error }: { error: unknown }): null {
  if (error instanceof CodeLoadError) return null
  throw error
}
