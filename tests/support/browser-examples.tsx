import { createRoot } from 'react-dom/client'
import '@/index.css'
import { ExamplesPage } from '@/features/examples/examples-page'

const root = document.querySelector('#root')
if (root) createRoot(root).render(<ExamplesPage />)
