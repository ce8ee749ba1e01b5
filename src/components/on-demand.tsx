import { type ComponentType, useEffect, useReducer, useSyncExternalStore } from 'react'
import { isServed, reloadWhereOutdated } from '@/lib/reload-outdated'
import { toast } from '@/lib/toast'

/** A part of a screen whose code comes when it is first wanted, and how to have it come before. */
export interface OnDemand<Props extends object> {
  /** Renders the part, once its code is there: at once, or soon. Where it does not come, a toast says so. */
  Part: ComponentType<Props & WhenAway>
  /** Fetches the code, once. What goes wrong is tried again with the next call. */
  preload: () => Promise<void>
  isThere: () => boolean
}

interface WhenAway {
  /** The code did not come: whoever asked for the part takes that back. */
  onFailure: () => void
}

/** For what most visits do not need, and a press may. @param load a dynamic import */
export function onDemand<Props extends object>(load: () => Promise<ComponentType<Props>>): OnDemand<Props> {
  let Loaded: ComponentType<Props> | undefined
  let coming: Promise<void> | undefined

  async function fetchCode(): Promise<void> {
    try {
      // What could not be fetched once stays so in some browsers (Chromium 150), until the page is loaded anew. A server on this
      // machine answers without a network, too.
      if (!navigator.onLine && !(await isServed())) throw new TypeError('There is no network')
      Loaded = await load()
    } catch (error) {
      coming = undefined
      throw error
    }
  }

  function preload(): Promise<void> {
    coming ??= fetchCode()
    return coming
  }

  function Part({ onFailure, ...props }: Props & WhenAway) {
    const [, renderAgain] = useReducer((count: number) => count + 1, 0)
    const isShown = Loaded !== undefined
    useEffect(() => {
      if (isShown) return
      let gone = false
      setWaiting(1)
      async function fail(error: unknown): Promise<void> {
        if (gone || (await reloadWhereOutdated(error))) return
        toast.error('This could not be loaded. Check your connection and try again.')
        onFailure()
      }
      void preload()
        .then(() => gone || renderAgain(), fail)
        .finally(() => setWaiting(-1))
      return () => {
        gone = true
      }
      // Asked for when it appears, and then no more.
      // oxlint-disable-next-line react/exhaustive-deps
    }, [])
    return Loaded ? <Loaded {...(props as unknown as Props)} /> : null
  }

  return { Part, preload, isThere: () => Loaded !== undefined }
}

let waiting = 0
const listeners = new Set<() => void>()

function setWaiting(change: 1 | -1): void {
  waiting += change
  for (const listener of listeners) listener()
}

/** Whether somebody has asked for a part whose code is still on its way. */
export function useIsWaitingForCode(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => waiting > 0,
  )
}

/** Whether this person asks their browser to save data. */
export function savesData(): boolean {
  return 'connection' in navigator && (navigator.connection as { saveData?: boolean }).saveData === true
}

let firstSign: Promise<void> | undefined

/** The first sign that somebody is there, after which the code for what they may press is fetched in the background. */
function awaitFirstSign(): Promise<void> {
  firstSign ??= new Promise<void>((resolve) => {
    for (const type of ['pointermove', 'pointerdown', 'keydown', 'wheel', 'touchstart'])
      addEventListener(type, () => resolve(), { once: true, passive: true, capture: true })
  })
  return firstSign
}

/**
 * Fetches parts ahead of the press that wants them: not with the screen, which does not need them, but once somebody moves.
 * Whoever asks their browser to save data gets them with the press.
 */
export function usePreload(parts: readonly Pick<OnDemand<never>, 'preload'>[]): void {
  useEffect(() => {
    let left = false
    async function loadWhenSomebodyIsThere(): Promise<void> {
      await awaitFirstSign()
      if (left || savesData()) return
      if ('requestIdleCallback' in window) requestIdleCallback(load, { timeout: 1000 })
      else setTimeout(load, 200)
    }
    // What fails here is said when it is wanted.
    function load(): void {
      for (const part of parts) void part.preload().catch(() => undefined)
    }
    void loadWhenSomebodyIsThere()
    return () => {
      left = true
    }
  }, [parts])
}
