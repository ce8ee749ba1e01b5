import { type ReactNode, startTransition } from 'react'
import { createRoot, hydrateRoot } from 'react-dom/client'
import './index.css'
import { followSession, Root } from './app'
import { fetchOnce, forgetPrefetched } from './html/prefetch'
import { createQueryClient } from './data/api/query-client'
import { setUpClient } from './data/api/setup'
import { holdHandover } from './data/handover'
import { keepControls } from './data/held-events'
import { createAppRouter } from './router'

setUpClient(fetchOnce)
void start()

/** This module must not await `start`, because the chunks of pages import this module and would wait, too. */
async function start(): Promise<void> {
  const root = document.querySelector<HTMLElement>('#root')
  if (!root) throw new Error('index.html has no #root')
  // With the mock back end, there is no head script that has already called this.
  holdHandover()
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient)
  followSession(queryClient, router)
  await router.load()
  forgetPrefetched()
  const app = <Root queryClient={queryClient} router={router} />
  const path = router.state.matches.at(-1)?.fullPath
  // In a transition, rendering fifty rows does not block touches.
  startTransition(() => {
    // The development server does not prerender.
    const [prerendered] = (document.documentElement.dataset.prerendered ?? '').split(' ')
    if (root.hasChildNodes() && prerendered === path) hydrate(root, app)
    else createRoot(root).render(app)
  })
  if (import.meta.env.DEV) (await import('./devtools')).showDevtools(queryClient, router)
}

function hydrate(root: HTMLElement, app: ReactNode): void {
  keepControls(root)
  hydrateRoot(root, app, {
    onRecoverableError: (error) => {
      // Browser extensions may have changed the page before hydration, which is no error.
      if (!window.releaseHeldEvents) reportError(error)
    },
  })
}
