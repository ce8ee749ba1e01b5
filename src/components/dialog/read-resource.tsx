import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { errorMessage, errorNote, isMissing } from '@/data/api/errors'
import { type ResourceQuery, useResource } from '@/data/api/resource'
import { toast } from '@/browser/toast'
import { hasUnsavedText } from '@/data/drafts'
import type { DialogControl } from './dialog'

interface ReadResourceProps<Resource extends object> {
  options: ResourceQuery<Resource>
  /** Whether to read the resource even if a cached version is already shown. */
  isEdited?: boolean
  subject: string
  control: Pick<DialogControl, 'open' | 'onClose'>
  children: (resource: Resource) => ReactNode
}

/** Shows a dialog with the cached version of a resource, and reads the resource. */
export function ReadResource<Resource extends object>(props: ReadResourceProps<Resource>) {
  const { options, isEdited = false, subject, control, children } = props
  const [asked, setAsked] = useState<Resource>()
  const isShown = useDeferredValue(true, false)
  const isAsked = control.open && (isEdited || asked === undefined)
  const { data, error } = useResource({ ...options, enabled: isAsked && (isShown || asked === undefined) })
  // The dialog keeps its resource, because a deleted row leaves the lists while its dialog is still disappearing.
  if (asked === undefined && data !== undefined && !isMissing(error)) setAsked(data)
  const isFailed = error !== null && (asked === undefined || (isEdited && isMissing(error)))

  const fail = useEffectEvent(() => {
    if (!control.open) return
    // The form shows the error itself, and keeps the typed text.
    if (asked !== undefined && hasUnsavedText()) return
    if (isMissing(error)) toast.error(`${subject} no longer exists.`)
    else toast.error(errorMessage(error), errorNote(error))
    control.onClose()
  })
  useEffect(() => {
    if (isFailed) fail()
  }, [isFailed])

  return asked === undefined ? null : children((isEdited && data) || asked)
}
