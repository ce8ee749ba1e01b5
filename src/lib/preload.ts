type Preload = () => Promise<unknown>

const preloads = new Set<Preload>()
let isStarted = false

/** Registers code to preload when the preloader has started and the browser is idle. */
export function registerPreload(preload: Preload): void {
  preloads.add(preload)
  if (isStarted) runWhenIdle(preload)
}

/** Starts the preloader at the first user event. @returns a function that stops waiting */
export function preloadOnFirstSign(): () => void {
  const signs = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart']
  const stop = () => {
    for (const sign of signs) removeEventListener(sign, start, { capture: true })
  }
  function start(): void {
    stop()
    if (savesData()) return
    isStarted = true
    for (const preload of preloads) runWhenIdle(preload)
  }
  for (const sign of signs) addEventListener(sign, start, { passive: true, capture: true })
  return stop
}

function runWhenIdle(preload: Preload): void {
  // A failure is reported when the code is needed.
  const run = () => void preload().catch(() => undefined)
  if ('requestIdleCallback' in window) requestIdleCallback(run, { timeout: 1000 })
  else setTimeout(run, 200)
}

/** Whether the browser saves data. Code is then only loaded on demand. */
function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true
}
