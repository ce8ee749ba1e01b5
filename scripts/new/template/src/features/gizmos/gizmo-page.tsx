import type { ReactNode } from 'react'
import type { GizmoPublic } from '@/client/types.gen'
import { lazyPart } from '@/components/lazy'
import { ResourcePage, Value } from '@/components/resource-page'
import { gizmosList } from './gizmos-list'

const Dialogs = lazyPart(async () => (await import('./gizmo-dialogs')).GizmoDialogs)

function Values({ row }: { row: GizmoPublic }) {
  return <>{VALUES}</>
}

/** @param history shows what was done to the row */
export function GizmoPage({ id, history }: { id: string; history: (row: GizmoPublic) => ReactNode }) {
  return <ResourcePage list={gizmosList} id={id} values={Values} dialogs={Dialogs} history={history} />
}
