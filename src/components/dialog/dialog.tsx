import * as Primitive from '@radix-ui/react-dialog'
import { clsx } from 'clsx'
import { X } from 'lucide-react'
import { type ComponentProps, type ReactNode, type Ref, type RefObject, useEffect, useState } from 'react'
import { focusHeading } from '@/browser/focus-heading'
import { useIsNarrow } from '@/browser/use-media'
import { Button, IconButton } from '../ui/button'
import { useSwipeAway } from './use-swipe-away'
import { followVisibleHeight, lockScroll, scrollGutter } from './viewport'

export interface DialogControl {
  open: boolean
  /** Gets the focus after closing. If it is `null` or removed, the page's heading gets it. */
  opener: RefObject<HTMLElement | null>
  onClose: () => void
}

interface DialogProps extends DialogControl {
  title: string
  /** Whether a search field replaces the title on the screen. What is found then extends the dialog downwards only. */
  hasSearchField?: boolean
  sign?: ReactNode
  /** The side from which the dialog slides in on narrow screens. */
  sheet?: keyof typeof sheets
  width?: keyof typeof widths
  /** Replaces the children after success. Clicks outside do not close the dialog then. */
  result?: ReactNode
  keepOpen?: () => boolean
  /** Sets the initial focus. By default, the first control gets it, and its text is selected. */
  onOpenFocus?: (() => void) | undefined
  children: ReactNode
}

/** Classes of an element that fills the space between title and footer. */
const dialogGrow = 'min-h-0 flex-1 in-data-low:flex-none'

const sheets = {
  'from the right':
    'max-md:inset-y-0 max-md:right-0 max-md:h-(--visible-height) max-md:border-l [--away:translateX(100%)]',
  'from below':
    'max-md:inset-x-0 max-md:top-auto max-md:bottom-[calc(100dvh-var(--visible-height))] max-md:w-full max-md:rounded-t-xl max-md:border-t max-md:touch-pinch-zoom [--away:translateY(100%)]',
}
const widths = {
  narrow: 'w-[min(92vw,28rem)]',
  form: 'w-[min(92vw,36rem)]',
  table: 'w-[min(92vw,56rem)]',
}
const narrow =
  'max-md:max-h-(--visible-height) max-md:data-[state=closed]:animate-slide-out max-md:data-[state=open]:animate-slide-in'
const wide =
  'md:left-1/2 md:max-h-[calc(var(--visible-height)*0.85)] md:-translate-x-1/2 ' +
  'md:low:max-h-(--visible-height) md:rounded-xl md:border ' +
  'md:data-[state=closed]:animate-dialog-out md:data-[state=open]:animate-dialog-in'
/** The dialog moves up by half of `--growth` (see `growUpwards`), but not beyond the top of the window. */
const centred =
  'md:top-[calc(var(--visible-height)/2)] ' +
  'md:translate-y-[max(-50%_-_var(--growth,0px)/2,min(-50%,0.5rem_-_var(--visible-height)/2))]'
const fixedTop = 'md:top-[calc(var(--visible-height)*0.075)] md:low:top-0'

/** A modal on wide screens, a sheet on narrow ones. They are the same element, so that rotating a phone keeps input. */
export function Dialog(props: DialogProps) {
  const { title, hasSearchField = false, sign, sheet = 'from the right', width = 'narrow' } = props
  const { open, opener, onClose, result, keepOpen, onOpenFocus, children } = props
  const swipe = useSwipeAway(sheet === 'from below' ? 'down' : 'right', onClose)
  const isSheet = useIsNarrow()
  return (
    <Modal
      {...(isSheet && swipe)}
      {...(hasSearchField && { 'aria-describedby': undefined })}
      ref={followVisibleHeight}
      data-sheet={sheet}
      open={open}
      opener={opener}
      onClose={onClose}
      className={clsx(
        '@container fixed z-50 flex flex-col raised shadow-2xl outline-none data-low:overflow-y-auto',
        narrow,
        sheets[sheet],
        wide,
        widths[width],
        hasSearchField ? fixedTop : centred,
      )}
      // In the middle of the title, or of the field in its place, and above the end of the content.
      closeClass={clsx(
        'absolute right-4 low:top-1.5 pointer-coarse:right-2.5 low:pointer-coarse:top-0',
        hasSearchField ? 'top-4 pointer-coarse:top-2.5' : 'top-4.5 pointer-coarse:top-4',
      )}
      onOpenAutoFocus={(event) => {
        const content = event.currentTarget as HTMLElement
        // The close button gets no initial focus, because its tooltip would cover the text.
        const hasOnlyClose = content.querySelectorAll(focusable).length === 1
        if (!onOpenFocus && !hasOnlyClose) return
        event.preventDefault()
        if (onOpenFocus) onOpenFocus()
        else content.focus()
      }}
      onEscapeKeyDown={(event) => {
        // The first Escape closes the list of a field.
        if (document.activeElement?.hasAttribute('data-closes-list')) event.preventDefault()
      }}
      onInteractOutside={(event) => {
        const { target } = event.detail.originalEvent
        const isToast = target instanceof Element && target.closest('[data-sonner-toaster]') !== null
        if (result !== undefined || keepOpen?.() || isToast) event.preventDefault()
      }}
    >
      <div
        className={
          hasSearchField
            ? 'sr-only'
            : 'flex shrink-0 items-center gap-2.5 px-6 pt-5 pr-14 low:h-11 low:pt-0 pointer-coarse:pt-6 low:pointer-coarse:pt-0'
        }
      >
        {sign}
        <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
      </div>
      {result ?? children}
    </Modal>
  )
}

/** The body and the footer of a dialog, if they are a form. */
export function DialogForm(props: ComponentProps<'form'>) {
  return <form noValidate {...props} className={clsx('flex flex-col', dialogGrow)} />
}

/** The scrollable part of a dialog. In a low window, the whole dialog scrolls. */
export function DialogBody({ description, children }: { description: ReactNode; children?: ReactNode }) {
  return (
    <div
      ref={makeScrollable}
      className={clsx(dialogGrow, 'line-when-scrolled scroll-py-4 overflow-y-auto px-6 in-data-low:overflow-visible')}
    >
      <Primitive.Description className="mt-1 mb-4 pr-8 wrap-anywhere text-muted-foreground">
        {description}
      </Primitive.Description>
      {children}
    </div>
  )
}

const focusable = 'a[href], button, input, select, textarea, [tabindex="0"]'

function makeScrollable(body: HTMLElement | null): void {
  // `scrollHeight` needs a layout, so it is read last.
  if (body && !body.querySelector('input, textarea, button') && body.scrollHeight > body.clientHeight) body.tabIndex = 0
}

export function DialogFooter(props: { onCancel?: () => void; cancel?: string | undefined; children: ReactNode }) {
  const { onCancel, cancel = 'Cancel', children } = props
  return (
    <div className="flex shrink-0 justify-end gap-2 border-t px-6 py-4 max-md:*:flex-1 low:py-2 tiny:flex-wrap">
      {onCancel && (
        <Button variant="secondary" onClick={onCancel}>
          {cancel}
        </Button>
      )}
      {children}
    </div>
  )
}

export function LeftSheet({ title, children, ...control }: DialogControl & { title: string; children: ReactNode }) {
  const swipe = useSwipeAway('left', control.onClose)
  return (
    <Modal
      {...swipe}
      {...control}
      aria-describedby={undefined}
      className="fixed inset-y-0 left-0 z-50 w-72 max-w-full border-r bg-surface shadow-xl [--away:translateX(-100%)] data-[state=closed]:animate-slide-out data-[state=open]:animate-slide-in"
      closeClass="absolute top-2 right-2 pointer-coarse:top-0.5 pointer-coarse:right-0.5"
    >
      <Primitive.Title className="sr-only">{title}</Primitive.Title>
      {children}
    </Modal>
  )
}

interface ModalProps extends DialogControl, Omit<ComponentProps<typeof Primitive.Content>, 'onCloseAutoFocus'> {
  closeClass: string
}

function Modal({ open, opener, onClose, closeClass, children, ...content }: ModalProps) {
  return (
    <Primitive.Root open={open} onOpenChange={(next) => !next && onClose()}>
      {/* Without `container`, Radix finds the container in a second render. */}
      <Primitive.Portal container={document.body}>
        <Overlay open={open} />
        <Primitive.Content
          {...content}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            // The focus may have been moved meanwhile.
            if (document.activeElement !== document.body) return
            if (opener.current?.isConnected) opener.current.focus()
            else focusHeading()
          }}
        >
          {children}
          {/* Last, so that the content gets the initial focus. */}
          <IconButton label="Close" className={closeClass} onClick={onClose}>
            <X aria-hidden />
          </IconButton>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  )
}

/** Replaces the overlay of Radix, which locks scrolling by an inherited style, so that all rows get new styles. */
function Overlay({ open, ref }: { open: boolean; ref?: Ref<HTMLDivElement> }) {
  // A measurement after the overlay is in the page would need another layout.
  const [gutter] = useState(scrollGutter)
  useEffect(() => lockScroll(gutter), [gutter])
  return (
    <div
      ref={ref}
      data-state={open ? 'open' : 'closed'}
      style={{ pointerEvents: 'auto', touchAction: 'pinch-zoom' }}
      className="fixed inset-0 z-50 bg-overlay data-[state=closed]:animate-fade-out data-[state=open]:animate-fade-in"
    />
  )
}
