import { createFileRoute } from '@tanstack/react-router'
import { NotFound } from '@/components/not-found'

/** Every address that no other route takes, also beneath one that is there. */
export const Route = createFileRoute('/$')({
  staticData: { title: 'Page not found' },
  component: NotFound,
})
