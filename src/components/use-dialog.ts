import { useRouter, useSearch } from '@tanstack/react-router'
import { useCallback, useDeferredValue, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { type AddressDialog, toDialog, toDialogSearch } from '@/lib/dialog-search'
import { prepareToasts } from '@/lib/toast'
import type { DialogControl } from './dialog/dialog'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** The application pushed this entry to open a dialog, so closing goes back. */
    isDialogEntry?: boolean
  }
}

export type OpenAddressDialog = (dialog: AddressDialog, opener: HTMLElement) => void

export interface AddressDialogControl extends DialogControl {
  /** Whether this dialog is still open. A late response must not close another one or leave another page. */
  isCurrent: () => boolean
  /** Closes after success: the opener may be about to disappear. */
  onDone: () => unknown
}

/** The dialog in the URL. Opening it pushes a history entry, and Back closes it. */
export function useAddressDialog() {
  const router = useRouter()
  // Compared as text, so that only another dialog renders again.
  const current = useSearch({ strict: false, select: (search) => JSON.stringify(toDialog(search)) })
  // The pressed button is painted before the dialog is rendered.
  const address = useDeferredValue(current)
  const [state, setState] = useState({ address, shown: address, opening: 0, isClosing: false })
  if (address !== state.address)
    setState({
      address,
      // Still shown during its exit animation.
      shown: address === 'null' ? state.shown : address,
      opening: address === 'null' ? state.opening : state.opening + 1,
      isClosing: false,
    })
  const latest = useRef(state)
  // Runs before the effects of a dialog, which may close it.
  useLayoutEffect(() => {
    latest.current = state
    return () => {
      latest.current = { ...state, isClosing: true }
    }
  })
  // Safari does not focus a button that is clicked, so `document.activeElement` would be wrong.
  const opener = useRef<HTMLElement>(null)

  const open: OpenAddressDialog = useCallback(
    (dialog, element) => {
      opener.current = element
      void router.navigate({
        to: '.',
        search: (search) => ({ ...search, ...toDialogSearch(dialog) }),
        state: { isDialogEntry: true },
        resetScroll: false,
      })
    },
    [router],
  )

  function isCurrent(): boolean {
    const { opening, isClosing } = latest.current
    return opening === state.opening && !isClosing && latest.current.address !== 'null'
  }

  function onClose(): void {
    if (!isCurrent()) return
    latest.current = { ...latest.current, isClosing: true }
    setState(latest.current)
    if (router.state.location.state.isDialogEntry) router.history.back({ ignoreBlocker: true })
    else
      void router.navigate({
        to: '.',
        search: (search) => ({ ...search, ...toDialogSearch(null) }),
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
      })
  }

  const isOpen = state.address !== 'null' && !state.isClosing
  useEffect(() => {
    // The network may be gone when the dialog has something to report.
    if (isOpen) prepareToasts()
  }, [isOpen])

  const dialog = JSON.parse(state.shown) as AddressDialog | null
  const control: AddressDialogControl = {
    open: isOpen,
    opener,
    onClose,
    isCurrent,
    onDone: () => {
      if (!isCurrent()) return
      if (dialog?.kind === 'delete' || opener.current?.closest('[data-empty-state]')) opener.current = null
      onClose()
    },
  }
  return { dialog, opening: state.opening, open, control }
}
