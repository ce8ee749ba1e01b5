import { savesData } from '../browser/network'
import { CodeLoadError } from './api/errors'
import { isServed } from './reload-outdated'

const registered = new Set<() => Promise<unknown>>()
let isStarted = false

/** Loads code on demand or when the browser is idle. @param preload false for code that few users need */
export function loadOnce<Part>(importCode: () => Promise<Part>, { preload = true } = {}) {
  let loaded: Part | undefined
  let loading: Promise<Part> | undefined

  async function start(): Promise<Part> {
    try {
      // Chromium 150 caches failed imports until a reload, so code is imported offline only if a local server responds.
      if (!navigator.onLine && !(await isServed())) throw new TypeError('There is no network')
      return (loaded = await importCode())
    } catch (error) {
      loading = undefined
      throw new CodeLoadError(error)
    }
  }

  /** After a failure, the next call tries again. @throws CodeLoadError */
  const load = () => (loading ??= start())
  if (preload) {
    registered.add(load)
    if (isStarted) runWhenIdle(load)
  }
  return { load, loaded: (): Part | undefined => loaded }
}

export function preloadWhenIdle(): void {
  if (isStarted || savesData()) return
  isStarted = true
  for (const load of registered) runWhenIdle(load)
}

/** Ignores failures, because the next use reports them. */
export function runWhenIdle(load: () => Promise<unknown>): void {
  const run = () => void load().catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else setTimeout(run, 200)
}
