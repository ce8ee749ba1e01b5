import { startTransition, StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './index.css'
import { App, followSession } from './app'
import { forgetEarly } from './lib/api/early'
import { createQueryClient } from './lib/api/query-client'
import { setUpClient } from './lib/api/setup'
import { createAppRouter } from './router'

setUpClient()
void start()

/** Not awaited by the module: the pages' code imports from this file, and would wait for it to be done. */
async function start(): Promise<void> {
  const root = document.querySelector('#root')
  if (!root) throw new Error('index.html has no #root')
  const queryClient = createQueryClient()
  const router = createAppRouter(queryClient)
  followSession(queryClient, router)
  // Until there is a page to show, its outline stands in its place (src/html/).
  await router.load()
  forgetEarly()
  // In pieces: fifty rows at once would keep a slow phone from answering a touch.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App queryClient={queryClient} router={router} />
      </StrictMode>,
    ),
  )
}
