import { QueryClientProvider } from '@tanstack/react-query'
import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import '@/index.css'
import { client } from '@/client/client.gen'
import { loginLoginAccessToken } from '@/client/sdk.gen'
import { createQueryClient } from '@/data/api/query-client'
import { ExamplesPage } from '@/features/examples/examples-page'
import './browser-backend'
import { mockAccounts, mockPassword } from './mock-accounts'

// The examples search links and upload files, which needs a session.
const body = { username: mockAccounts.superuser.email, password: mockPassword }
const { data } = await loginLoginAccessToken({ body, throwOnError: true })
client.setConfig({ headers: { Authorization: `Bearer ${data.access_token}` } })

const root = document.querySelector('#root')
// Lists restore their scroll position from the router.
const router = createRouter({ routeTree: createRootRoute() })
if (root)
  createRoot(root).render(
    <QueryClientProvider client={createQueryClient()}>
      <RouterContextProvider router={router}>
        <ExamplesPage />
      </RouterContextProvider>
    </QueryClientProvider>,
  )
