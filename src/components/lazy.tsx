import {
  Component,
  type ComponentType,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useEffectEvent,
  useState,
} from 'react'
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
    const waiting = (
      <>
        {fallback}
        <LoadingBar delayed />
      </>
    )
    return (
      <CodeBoundary onFailure={onFailure}>
        <Suspense fallback={waiting}>
          <Part {...(props as Props)} />
        </Suspense>
      </CodeBoundary>
    )
  }
}

/** Catches only errors of loading code. */
class CodeBoundary extends Component<{ onFailure: () => void; children: ReactNode }, { error?: unknown }> {
  override state: { error?: unknown } = {}

  static getDerivedStateFromError(error: unknown): { error: unknown } {
    return { error }
  }

  override render(): ReactNode {
    const { error } = this.state
    if (error === undefined) return this.props.children
    if (error instanceof CodeLoadError) return <LoadFailure error={error} onFailure={this.props.onFailure} />
    throw error
  }
}

function LoadFailure({ error, onFailure }: { error: CodeLoadError; onFailure: () => void }): null {
  const report = useEffectEvent(() => {
    toast.error('This could not be loaded. Check your connection and try again.')
    onFailure()
  })
  useEffect(() => {
    let isMounted = true
    void reloadWhereOutdated(error).then((isReloading) => !isReloading && isMounted && report())
    return () => {
      isMounted = false
    }
  }, [error])
  return null
}
