import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '@/components/not-found'

/** URLs without a route. Visitors see the page without the shell. */
export const Route = createFileRoute('/_layout/$')({
  staticData: { title: 'Page not found' },
  component: NotFound,
})
