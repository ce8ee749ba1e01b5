type Preload = () => Promise<unknown>

const preloads = new Set<Preload>()
let isStarted = false

/** Adds code that a press may need. It loads when the preloader has started and the browser is idle. */
export function registerPreload(preload: Preload): void {
  preloads.add(preload)
  if (isStarted) runWhenIdle(preload)
}

/** Loads the code that a press may need: on the first sign of a person. @returns a function that stops waiting */
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

/** Whether the browser is told to save data: code then loads with the press that needs it. */
export function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true
}
