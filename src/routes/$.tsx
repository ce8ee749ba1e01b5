import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '@/components/not-found'

/** URLs without a route. */
export const Route = createFileRoute('/$')({
  staticData: { title: 'Page not found' },
  component: () => (
    <main className="grid min-h-dvh items-center">
      <NotFound />
    </main>
  ),
})
