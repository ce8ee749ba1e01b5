import { useState } from 'react'

interface DialogState<Content> {
  content: Content | null
  open: boolean
  /** Counts the openings: as a `key` it gives every opening a dialog that remembers nothing of the last one. */
  opening: number
  opener: HTMLElement | null
}

/** The one dialog of a screen: what is in it, and where the focus goes when it closes. */
export function useDialog<Content>() {
  const [state, setState] = useState<DialogState<Content>>({ content: null, open: false, opening: 0, opener: null })
  return {
    /** Stays after closing, for as long as the dialog takes to leave the screen. */
    content: state.content,
    /** Give it to the dialog as `key`. */
    opening: state.opening,
    show: (content: Content) =>
      setState(({ opening }) => ({ content, open: true, opening: opening + 1, opener: focusedOpener() })),
    /** What every dialog takes. */
    props: {
      open: state.open,
      opener: state.opener,
      onClose: () => setState((current) => ({ ...current, open: false })),
    },
    /** Closes where what opened the dialog is about to go: the focus goes to the heading. */
    closeForGood: () => setState((current) => ({ ...current, open: false, opener: null })),
  }
}

/** What has the focus; where that is an entry of a menu, which is about to close, the menu's button. */
function focusedOpener(): HTMLElement | null {
  const active = document.activeElement
  const buttonId = active?.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  if (typeof buttonId === 'string') return document.getElementById(buttonId)
  return active instanceof HTMLElement ? active : null
}
