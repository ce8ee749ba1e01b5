import { useRouter, useSearch } from '@tanstack/react-router'
import { Fragment, type ReactNode, useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react'
import type { DialogOf, Dialogs } from '@/lib/search-params'
import type { DialogControl } from './dialog/dialog'

declare module '@tanstack/react-router' {
  interface HistoryState {
    /** Whether the application added this entry to open a dialog, so that closing the dialog goes back. */
    isDialogEntry?: boolean
  }
}

/** The dialog of a search parameter, such as `?add`, or `?edit=ID` for a row. */
interface PageDialog {
  kind: string
  id?: string
}

export type OpenDialog<Dialog extends PageDialog = PageDialog> = (dialog: Dialog, opener: HTMLElement) => void

export interface PageDialogControl extends DialogControl {
  /** Whether this dialog is still open. A late response must not close another dialog or leave another page. */
  isCurrent: () => boolean
  /** Closes the dialog after success, when the opener may be about to disappear. */
  onDone: () => unknown
  isInSearch: (search: object) => boolean
}

export interface PageDialogProps<Dialog extends PageDialog> {
  dialog: Dialog
  control: PageDialogControl
  onFailure: () => void
}

/** Dialogs of a part of a page. The URL says which is open. Opening adds a history entry, and Back closes. */
export function usePageDialogs<All extends Dialogs>(
  dialogs: All,
  show: (props: PageDialogProps<DialogOf<All>>) => ReactNode,
): { open: OpenDialog<DialogOf<All>>; shown: ReactNode } {
  type Dialog = DialogOf<All>
  const router = useRouter()
  const search: Partial<Record<string, unknown>> = useSearch({ strict: false })
  const kind = Object.keys(dialogs).find((name) => search[name] !== undefined)
  const id = kind === undefined ? undefined : (search[kind] as string)
  const dialog = useMemo(() => (kind === undefined ? null : ({ kind, id: id || undefined } as Dialog)), [kind, id])
  const [state, setState] = useState({ dialog, shown: dialog, opening: 0, isClosing: false })
  if (dialog !== state.dialog)
    setState({
      dialog,
      // The last dialog is still shown during its exit animation.
      shown: dialog ?? state.shown,
      opening: dialog ? state.opening + 1 : state.opening,
      isClosing: false,
    })
  const isOpen = state.dialog !== null && !state.isClosing
  /** The opening whose dialog is open, if any. */
  const opened = useRef<number>(null)
  // Layout effects run before the effects of a dialog, which may close it.
  useLayoutEffect(() => {
    opened.current = isOpen ? state.opening : null
    return () => {
      opened.current = null
    }
  })
  const isCurrent = () => opened.current === state.opening
  // Not `document.activeElement`, because Safari does not focus a clicked button.
  const opener = useRef<HTMLElement>(null)

  const open: OpenDialog<Dialog> = useCallback(
    (next, element) => {
      opener.current = element
      void router.navigate({
        to: '.',
        search: (before) => ({ ...before, ...closed(dialogs), [next.kind]: next.id ?? '' }),
        state: { isDialogEntry: true },
        resetScroll: false,
      })
    },
    [router, dialogs],
  )

  function onClose(): void {
    if (!isCurrent()) return
    opened.current = null
    setState({ ...state, isClosing: true })
    if (router.state.location.state.isDialogEntry) router.history.back({ ignoreBlocker: true })
    else
      void router.navigate({
        to: '.',
        search: (before) => ({ ...before, ...closed(dialogs) }),
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
      })
  }

  const { shown } = state
  const control: PageDialogControl = {
    open: isOpen,
    opener,
    onClose,
    isCurrent,
    onDone: () => {
      if (!isCurrent()) return
      if (shown?.kind.startsWith('delete') || opener.current?.closest('[data-empty-state]')) opener.current = null
      onClose()
    },
    isInSearch: (given) => shown !== null && (given as Record<string, unknown>)[shown.kind] === (shown.id ?? ''),
  }
  return {
    open,
    shown: shown && <Fragment key={state.opening}>{show({ dialog: shown, control, onFailure: onClose })}</Fragment>,
  }
}

const closed = (dialogs: Dialogs) => Object.fromEntries(Object.keys(dialogs).map((kind) => [kind, undefined]))
