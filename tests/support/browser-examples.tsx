import { createRootRoute, createRouter, RouterContextProvider } from '@tanstack/react-router'
import { createRoot } from 'react-dom/client'
import '@/index.css'
import { ExamplesPage } from '@/features/examples/examples-page'

const root = document.querySelector('#root')
// Lists ask the router where they were scrolled to.
const router = createRouter({ routeTree: createRootRoute() })
if (root)
  createRoot(root).render(
    <RouterContextProvider router={router}>
      <ExamplesPage />
    </RouterContextProvider>,
  )
