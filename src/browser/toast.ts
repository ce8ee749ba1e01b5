import { toast as sonner } from 'sonner'

/** Errors take longer to read, and buttons need time. Other toasts stay for 4 s. */
const LONG_DURATION_MS = 10_000

const undoButton = (onPress: () => unknown) => ({
  duration: LONG_DURATION_MS,
  action: {
    label: 'Undo',
    onClick: ({ currentTarget }: { currentTarget: HTMLElement }): void => {
      // Sonner would otherwise restore the focus, after the action has moved it.
      currentTarget.blur()
      onPress()
    },
  },
})

export const toast = {
  success: (text: string, onUndo?: () => unknown): void => void sonner.success(text, onUndo && undoButton(onUndo)),
  undo: (text: string, onPress: () => unknown): void => void sonner(text, undoButton(onPress)),
  /** @param note advice below the message @param id replaces a toast with the same id */
  error: (text: string, note?: string, id?: string): void =>
    void sonner.error(text, { ...(id && { id }), description: note, duration: LONG_DURATION_MS }),
  dismiss: (id?: string): void => void sonner.dismiss(id),
}
