import { useRouter } from '@tanstack/react-router'
import { useCurrentUser } from '@/lib/api/current-user'
import { type Draft, draftOf, restoreDraft } from '@/lib/drafts'
import type { Editor } from '@/lib/editors'
import { getToken } from '@/lib/session'
import { toast } from '@/lib/toast'

/** Discards the changes of a form without a question. A toast can bring the text back for some seconds. */
export function useDiscard() {
  const router = useRouter()
  const { id: userId } = useCurrentUser()
  return (editor: Editor | undefined, message: string, discard: () => void): void => {
    const draft = editor && draftOf(editor, userId, router.state.location.href)
    const token = getToken()
    discard()
    if (draft) offer(draft, message, token)
  }

  function offer(draft: Draft, message: string, token: string | null): void {
    toast.undo(message, async () => {
      // Another user may be logged in.
      if (getToken() !== token) return
      if (!(await restoreDraft(draft, router))) offer(draft, message, token)
    })
  }
}
