type Preload = () => Promise<unknown>

const preloads = new Set<Preload>()
let isStarted = false

/** Registers code to load when the browser is idle after the first paint. */
export function registerPreload(preload: Preload): void {
  preloads.add(preload)
  if (isStarted) runWhenIdle(preload)
}

/** Loads the registered code when the browser is idle, unless it saves data. Called after the first paint. */
export function preloadWhenIdle(): void {
  if (isStarted || savesData()) return
  isStarted = true
  for (const preload of preloads) runWhenIdle(preload)
}

function runWhenIdle(preload: Preload): void {
  // A failure is reported when the code is needed.
  const run = () => void preload().catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(run)
  else setTimeout(run, 200)
}

/** Whether the browser saves data. Code is then only loaded on demand. */
function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true
}
