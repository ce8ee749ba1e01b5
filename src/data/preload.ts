import { CodeError } from './api/errors'
import { isServed } from './reload-outdated'

/** Code of another bundle. */
export interface Code<Part> {
  /** Loads it once. After a failure, the next call tries again. @throws CodeError */
  load: () => Promise<Part>
  loaded: () => Part | undefined
}

const registered = new Set<() => Promise<unknown>>()
let isStarted = false

/**
 * Code to load when it is needed, or before, when the browser is idle.
 * @param preload false for code that few people need
 */
export function loadOnce<Part>(importCode: () => Promise<Part>, { preload = true } = {}): Code<Part> {
  let loaded: Part | undefined
  let loading: Promise<Part> | undefined

  async function start(): Promise<Part> {
    try {
      // Chromium 150 caches a failed import until the page reloads, so an import without network is not tried. A local
      // server works offline.
      if (!navigator.onLine && !(await isServed())) throw new TypeError('There is no network')
      return (loaded = await importCode())
    } catch (error) {
      loading = undefined
      throw new CodeError(error)
    }
  }

  const load = () => (loading ??= start())
  if (preload) {
    registered.add(load)
    if (isStarted) runWhenIdle(load)
  }
  return { load, loaded: () => loaded }
}

/**
 * Loads the registered code when the browser is idle, unless it saves data. It is called once somebody is logged in.
 */
export function preloadWhenIdle(): void {
  if (isStarted || savesData()) return
  isStarted = true
  for (const load of registered) runWhenIdle(load)
}

/** Failures are ignored, because the next use reports them. */
export function runWhenIdle(load: () => Promise<unknown>): void {
  const run = () => void load().catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else setTimeout(run, 200)
}

/** Whether the person asked the browser to save data. */
export function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true
}
