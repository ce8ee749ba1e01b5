import { createAtom, type ReadonlyAtom, useSelector } from '@tanstack/react-store'
import { type ComponentType, useEffect, useEffectEvent } from 'react'
import { CodeError } from '@/lib/api/errors'
import { registerPreload } from '@/lib/preload'
import { isServed, reloadWhereOutdated } from '@/lib/reload-outdated'
import { toast } from '@/lib/toast'

/** Code that is not part of the first paint. */
export interface Lazy<Code> {
  /** Loads the code once. After a failure, the next call tries again. */
  load: () => Promise<Code>
  /** The code; `null` until it has loaded. */
  code: ReadonlyAtom<Code | null>
}

/**
 * Loads a module when it is needed, or earlier when the browser is idle (src/lib/preload.ts).
 * @param early false for code that few people need
 */
export function lazy<Code extends object>(importCode: () => Promise<Code>, { early = true } = {}): Lazy<Code> {
  const code = createAtom<Code | null>(null)
  let loading: Promise<Code> | undefined

  async function start(): Promise<Code> {
    try {
      // Chromium 150 caches a failed import until the page reloads. A local server works offline.
      if (!navigator.onLine && !(await isServed())) throw new TypeError('There is no network')
      const imported = await importCode()
      code.set(imported)
      return imported
    } catch (error) {
      loading = undefined
      throw new CodeError(error)
    }
  }

  function load(): Promise<Code> {
    loading ??= start()
    return loading
  }

  if (early) registerPreload(load)
  return { load, code }
}

/** The component of a route. The router preloads it before it renders it, and renders `RouteError` if that fails. */
export function lazyPage(importPage: () => Promise<ComponentType>) {
  const page = lazy(async () => ({ Page: await importPage() }))
  function LazyPage() {
    const code = useSelector(page.code)
    return code && <code.Page />
  }
  return Object.assign(LazyPage, { preload: async () => void (await page.load()) })
}

/**
 * The code, which is loaded if it is needed; `null` until then.
 * @param onFailure called when the code cannot be loaded, after a toast
 */
export function useLazy<Code>(lazyCode: Lazy<Code>, isNeeded: boolean, onFailure: () => void): Code | null {
  const code = useSelector(lazyCode.code)
  const fail = useEffectEvent(onFailure)
  const isMissing = isNeeded && code === null
  useEffect(() => {
    if (!isMissing) return
    let isUnmounted = false
    async function load(): Promise<void> {
      try {
        await lazyCode.load()
      } catch (error) {
        if ((await reloadWhereOutdated(error)) || isUnmounted) return
        toast.error('This could not be loaded. Check your connection and try again.')
        fail()
      }
    }
    waiting.set(waiting.get() + 1)
    void load()
    return () => {
      isUnmounted = true
      waiting.set(waiting.get() - 1)
    }
  }, [lazyCode, isMissing])
  return code
}

/** The number of components whose code is loading. */
const waiting = createAtom(0)

export function useIsWaitingForCode(): boolean {
  return useSelector(waiting, (count) => count > 0)
}
