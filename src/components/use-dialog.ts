import { useCallback, useEffect, useState } from 'react'
import { onRestore, setOpenDialog, stopRestoring } from '@/lib/drafts'
import { prepareToasts } from '@/lib/toast'

interface DialogState<Content> {
  content: Content | null
  open: boolean
  /** Counts the openings: as a `key` it gives every opening a dialog that remembers nothing of the last one. */
  opening: number
  opener: HTMLElement | null
}

/**
 * The one dialog of a screen: what is in it, and where the focus goes when it closes.
 * @param screen tells screens apart; with the content, which has to survive JSON, it says which dialog is open
 */
export function useDialog<Content>(screen: string) {
  const [state, setState] = useState<DialogState<Content>>({ content: null, open: false, opening: 0, opener: null })

  useEffect(() => {
    setOpenDialog(state.open ? { screen, content: state.content } : null)
    return () => setOpenDialog(null)
  }, [screen, state])

  useEffect(
    () =>
      onRestore(({ dialog }) => {
        if (dialog?.screen === screen) setState(openWith(dialog.content as Content, null))
      }),
    [screen],
  )

  /** Of this opening alone: an answer that comes late does not close what was opened since. */
  const { opening } = state
  const close = (change: Partial<DialogState<Content>>): void => {
    stopRestoring()
    setState((current) => (current.opening === opening ? { ...current, ...change, open: false } : current))
  }

  const show = useCallback((content: Content) => {
    // What is done in a dialog ends in a word about it, also where the network has gone by then.
    prepareToasts()
    setState(openWith(content, focusedOpener()))
  }, [])

  return {
    /** Stays after closing, for as long as the dialog takes to leave the screen. */
    content: state.content,
    /** Give it to the dialog as `key`. */
    opening,
    /** Always the same function: what takes it does not render again with the dialog. */
    show,
    /** What every dialog takes. */
    props: {
      open: state.open,
      opener: state.opener,
      onClose: () => close({}),
    },
    /** Closes where what opened the dialog is about to go: the focus goes to the heading. */
    closeForGood: () => close({ opener: null }),
  }
}

function openWith<Content>(content: Content, opener: HTMLElement | null) {
  return ({ opening }: DialogState<Content>) => ({ content, open: true, opening: opening + 1, opener })
}

/** What has the focus; where that is an entry of a menu, which is about to close, the menu's button. */
function focusedOpener(): HTMLElement | null {
  const active = document.activeElement
  const buttonId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (typeof buttonId === 'string') return document.getElementById(buttonId)
  return active instanceof HTMLElement ? active : null
}
