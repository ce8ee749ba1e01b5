import { createFileRoute } from '@tanstack/react-router'
import { NotFoundPage } from '@/components/not-found'

/** URLs without a route. */
export const Route = createFileRoute('/$')({ component: NotFoundPage })
