import { toast as sonner } from 'sonner'

/** Of errors, which take longer to read, and of toasts with a button. Others stay for 4 s. */
const LONG_DURATION_MS = 10_000

/** Shows a message for a few seconds. */
export const toast = {
  success: (text: string): void => void sonner.success(text),
  /** Offers to take back what was just done. */
  undo: (text: string, onPress: () => unknown): void => {
    const onClick = ({ currentTarget }: { currentTarget: HTMLElement }): void => {
      // Sonner gives the focus back when it leaves the toast, which must not happen after the action has moved it.
      currentTarget.blur()
      onPress()
    }
    sonner(text, { duration: LONG_DURATION_MS, action: { label: 'Undo', onClick } })
  },
  /** @param note advice @param id replaces a toast with the same id, and dismisses it */
  error: (text: string, note?: string, id?: string): void =>
    void sonner.error(text, { ...(id && { id }), description: note, duration: LONG_DURATION_MS }),
  /** Removes a toast when what it is about has gone: all toasts at the end of a session. */
  dismiss: (id?: string): void => void sonner.dismiss(id),
}
