import * as Primitive from '@radix-ui/react-dialog'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ReactNode, type Ref, type RefObject, useEffect } from 'react'
import { focusHeading } from '@/lib/focus-heading'
import { useIsNarrow } from '@/lib/use-media'
import { Button } from './button'
import { lockScroll } from './lock-scroll'
import { useSwipeAway } from './use-swipe-away'
import { followVisibleHeight } from './visible-height'

/** What every dialog of a page takes. */
export interface DialogControl {
  open: boolean
  /** Gets the focus back; where it is `null` or gone, the page's heading does. */
  opener: RefObject<HTMLElement | null>
  /** By the close button, Escape, a click outside or a swipe. */
  onClose: () => void
}

interface DialogProps extends DialogControl {
  title: string
  /** Asked on a click outside: whether the dialog has something to lose. */
  keepOpen?: () => boolean
  children: ReactNode
}

/** Of what takes the room between the title and the footer. */
export const dialogGrow = 'min-h-0 flex-1 in-data-low:flex-none'

const narrow =
  'max-md:inset-y-0 max-md:right-0 max-md:h-(--visible-height) max-md:w-[min(100vw,26rem)] ' +
  'max-md:border-l max-md:data-[state=closed]:animate-slide-out-right max-md:data-[state=open]:animate-slide-in-right'
const wide =
  'md:top-[calc(var(--visible-height)/2)] md:left-1/2 md:max-h-[calc(var(--visible-height)*0.85)] md:w-[28rem] ' +
  'md:data-low:max-h-(--visible-height) md:-translate-1/2 md:rounded-xl md:border ' +
  'md:data-[state=closed]:animate-dialog-out md:data-[state=open]:animate-dialog-in'

/**
 * A centred modal on a wide screen, a sheet from the right on a narrow one. It is one element in two looks, so that turning a
 * phone keeps what is in it. The focus starts on the first thing in it and goes back to what opened it.
 */
export function Dialog({ open, opener, onClose, title, keepOpen, children }: DialogProps) {
  const swipe = useSwipeAway('right', onClose)
  const isSheet = useIsNarrow()
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Overlay open={open} />
        <Primitive.Content
          {...(isSheet && swipe)}
          ref={followVisibleHeight}
          className={clsx('fixed z-50 flex flex-col bg-background shadow-2xl data-low:overflow-y-auto', narrow, wide)}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveFocusBack(opener.current)
          }}
          onInteractOutside={(event) => {
            const { target } = event.detail.originalEvent
            const isToast = target instanceof Element && target.closest('[data-sonner-toaster]') !== null
            if (keepOpen?.() || isToast) event.preventDefault()
          }}
        >
          <Primitive.Title className="px-6 pt-5 pr-14 text-lg font-semibold">{title}</Primitive.Title>
          {children}
          {/* Last, so that the focus starts on what the dialog is about. */}
          <Primitive.Close asChild>
            <Button variant="ghost" size="icon" aria-label="Close" className="absolute top-4 right-4">
              <X aria-hidden />
            </Button>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** The part of a dialog that scrolls; in a low window all of it does. */
export function DialogBody({ description, children }: { description: ReactNode; children?: ReactNode }) {
  return (
    <div
      ref={makeScrollable}
      className={clsx(dialogGrow, 'scroll-py-4 overflow-y-auto px-6 in-data-low:overflow-visible')}
    >
      <Primitive.Description className="mt-1 mb-4 pr-8 wrap-anywhere text-muted-foreground">
        {description}
      </Primitive.Description>
      {children}
    </div>
  )
}

/** A text that does not fit can be scrolled by keys, too. */
function makeScrollable(body: HTMLElement | null): void {
  if (body && body.scrollHeight > body.clientHeight && !body.querySelector('input, textarea, button')) body.tabIndex = 0
}

export function DialogFooter({ children }: { children: ReactNode }) {
  return <div className="flex shrink-0 justify-end gap-2 border-t px-6 py-4 max-md:*:flex-1">{children}</div>
}

interface LeftSheetProps {
  open: boolean
  onClose: () => void
  /** For those who do not see it. */
  title: string
  /** Gets the focus back, unless closing has led it elsewhere. */
  opener: RefObject<HTMLElement | null>
  children: ReactNode
}

/** A sheet from the left over the page: the sidebar of a narrow screen. */
export function LeftSheet({ open, onClose, title, opener, children }: LeftSheetProps) {
  const swipe = useSwipeAway('left', onClose)
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Primitive.Portal>
        <Overlay open={open} />
        <Primitive.Content
          {...swipe}
          aria-describedby={undefined}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            if (document.activeElement === document.body) opener.current?.focus()
          }}
          className="fixed inset-y-0 left-0 z-50 w-72 border-r bg-surface shadow-xl data-[state=closed]:animate-slide-out-left data-[state=open]:animate-slide-in-left"
        >
          <Primitive.Title className="sr-only">{title}</Primitive.Title>
          {children}
          <Primitive.Close asChild>
            <Button variant="ghost" size="icon" aria-label="Close" className="absolute top-2.5 right-2">
              <X aria-hidden />
            </Button>
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/**
 * Not the library's: that one locks the page's scrolling by a style that all of the page inherits, and fifty rows would be styled
 * again before the dialog is seen. @param ref from the portal, which keeps it until it has faded out
 */
function Overlay({ open, ref }: { open: boolean; ref?: Ref<HTMLDivElement> }) {
  useEffect(lockScroll, [])
  return (
    <div
      ref={ref}
      data-state={open ? 'open' : 'closed'}
      style={{ pointerEvents: 'auto', touchAction: 'pinch-zoom' }}
      className="fixed inset-0 z-50 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
    />
  )
}

/** To what opened the dialog or, where that is gone, to the heading of the page. */
function giveFocusBack(opener: HTMLElement | null): void {
  if (opener?.isConnected) opener.focus()
  else focusHeading()
}
