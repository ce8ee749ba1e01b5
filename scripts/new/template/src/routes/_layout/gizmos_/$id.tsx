import { createFileRoute, redirect } from '@tanstack/react-router'
import * as z from 'zod/mini'
import { lazyPage, lazyPart } from '@/components/lazy'
import { RowsSkeleton } from '@/components/skeleton'
import { gizmosList } from '@/features/gizmos/gizmos-list'
import { isDeleted } from '@/data/api/resource'
import { mayPrefetch } from '@/data/prefetch'
import { screens } from '@/lib/screens'
import { isId, rowDialogs } from '@/lib/search-params'

const RowHistory = lazyPart(async () => (await import('@/features/audit/row-history')).RowHistory)

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
          history={(row) => <RowHistory row={row} fallback={<RowsSkeleton />} onFailure={() => undefined} />}
        />
      )
    }
  }),
})
