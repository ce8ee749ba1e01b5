import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useState } from 'react'
import { errorMessage, errorNote, isMissing } from '@/data/api/errors'
import { type ResourceQuery, useResource } from '@/data/api/resource'
import { toast } from '@/browser/toast'
import { hasUnsavedText } from '@/data/drafts'
import type { DialogControl } from './dialog'

interface ReadResourceProps<Resource extends object> {
  options: ResourceQuery<Resource>
  /** Whether it is edited. It is then read again behind what is known. */
  isEdited?: boolean
  /** At the beginning of a sentence: `This item`. */
  subject: string
  /** Of the dialog, which closes when the resource cannot be read. */
  control: Pick<DialogControl, 'open' | 'onClose'>
  children: (resource: Resource) => ReactNode
}

/** Shows the dialog of a resource with what is known of it, and reads it. */
export function ReadResource<Resource extends object>(props: ReadResourceProps<Resource>) {
  const { options, isEdited = false, subject, control, children } = props
  const [asked, setAsked] = useState<Resource>()
  const isShown = useDeferredValue(true, false)
  const isAsked = control.open && (isEdited || asked === undefined)
  // What is known is shown first.
  const { data, error } = useResource({ ...options, enabled: isAsked && (isShown || asked === undefined) })
  // A deleted row leaves the lists before its dialog has disappeared.
  if (asked === undefined && data !== undefined && !isMissing(error)) setAsked(data)
  const isFailed = error !== null && (asked === undefined || (isEdited && isMissing(error)))

  const fail = useEffectEvent(() => {
    if (!control.open) return
    // The form says it, and keeps what was typed.
    if (asked !== undefined && hasUnsavedText()) return
    if (isMissing(error)) toast.error(`${subject} is not there any more.`)
    else toast.error(errorMessage(error), errorNote(error))
    control.onClose()
  })
  useEffect(() => {
    if (isFailed) fail()
  }, [isFailed])

  return asked === undefined ? null : children((isEdited && data) || asked)
}
