import * as Primitive from '@radix-ui/react-dialog'
import { X } from 'lucide-react'
import { type ReactNode, useRef } from 'react'
import { Button } from './button'

export interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: string
  children: ReactNode
}

/** A centred modal on a wide screen, a sheet from the right on a narrow one: one element, so that turning a phone keeps what it holds. */
export function Dialog({ open, onOpenChange, title, description, children }: DialogProps) {
  const opener = useRef<Element | null>(null)
  return (
    <Primitive.Root open={open} onOpenChange={onOpenChange}>
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-overlay" />
        <Primitive.Content
          className="fixed z-50 flex flex-col border bg-background shadow-xl max-md:inset-y-0 max-md:right-0 max-md:w-[min(100vw,26rem)] max-md:border-y-0 max-md:border-r-0 md:top-1/2 md:left-1/2 md:max-h-[85dvh] md:w-[28rem] md:-translate-1/2 md:rounded-lg"
          onOpenAutoFocus={() => {
            opener.current = document.activeElement
          }}
          onCloseAutoFocus={(event) => {
            event.preventDefault()
            giveFocusBack(opener.current)
          }}
          {...(description === undefined ? { 'aria-describedby': undefined } : {})}
        >
          <div className="px-6 pt-5 pr-14">
            <Primitive.Title className="text-lg font-semibold">{title}</Primitive.Title>
            {description !== undefined && (
              <Primitive.Description className="mt-1 text-muted-foreground">{description}</Primitive.Description>
            )}
          </div>
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

/** To what opened the dialog or, where that is gone, to the heading of the page. */
function giveFocusBack(opener: Element | null): void {
  const target = opener?.isConnected && opener !== document.body ? opener : document.querySelector('h1')
  if (target instanceof HTMLElement) target.focus()
}
