import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { lazyPage, lazyPart } from '@/components/lazy'
import { RowsSkeleton } from '@/components/skeleton'
import { gizmosList } from '@/features/gizmos/gizmos-list'
import { isDeleted } from '@/data/api/resource'
import { mayPrefetch } from '@/data/prefetch'
import { screens } from '@/lib/screens'
import { isId, rowDialogs } from '@/lib/search-params'

const History = lazyPart(async () => (await import('@/features/audit/history')).History)

export const Route = createFileRoute('/_layout/gizmos_/$id')({
  staticData: { ...screens['/gizmos_/$id'], dialogs: Object.keys(rowDialogs) },
  validateSearch: z.object(rowDialogs),
  beforeLoad: ({ context: { queryClient }, params: { id } }) => {
    if (isDeleted(queryClient, gizmosList.row(id).queryKey)) throw redirect({ to: '/gizmos', replace: true })
  },
  loader: ({ context: { queryClient }, params: { id }, preload }) => {
    if (isId(id) && (!preload || mayPrefetch())) void queryClient.prefetchQuery(gizmosList.row(id))
  },
  component: lazyPage(async () => {
    const { GizmoPage } = await import('@/features/gizmos/gizmo-page')
    return () => {
      const { id } = Route.useParams()
      return (
        <GizmoPage
          key={id}
          id={id}
          // Audit entries of a row are about its owner, and have the id of the row in their details.
          history={(row) => (
            <History
              of={{ subject_id: row.owner_id, q: row.id }}
              fallback={<RowsSkeleton />}
              onFailure={() => undefined}
            />
          )}
        />
      )
    }
  }),
})
