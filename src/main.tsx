import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import './index.css'
import { App } from './app'
import { createQueryClient } from './lib/api/query-client'
import { setUpClient } from './lib/api/setup'
import { createAppRouter } from './router'

const root = document.querySelector('#root')
if (!root) throw new Error('index.html has no #root')

setUpClient()
const queryClient = createQueryClient()
const router = createAppRouter(queryClient)
createRoot(root).render(
  <StrictMode>
    <App queryClient={queryClient} router={router} />
  </StrictMode>,
)
