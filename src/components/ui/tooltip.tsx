import * as Primitive from '@radix-ui/react-tooltip'
import { type ReactElement, useState } from 'react'

/** SPEC 9. */
const DELAY_MS = 700

/** @param label left out: no tooltip. What is inside stays the same element, and keeps its focus, when that changes. */
export function Tooltip({ label, children }: { label: string | undefined; children: ReactElement }) {
  const [open, setOpen] = useState(false)
  return (
    <Primitive.Provider delayDuration={DELAY_MS}>
      <Primitive.Root open={open && label !== undefined} onOpenChange={setOpen}>
        <Primitive.Trigger asChild>{children}</Primitive.Trigger>
        <Primitive.Portal>
          <Primitive.Content
            side="right"
            sideOffset={6}
            className="z-50 rounded-md bg-foreground px-2 py-1 text-xs text-background"
          >
            {label}
          </Primitive.Content>
        </Primitive.Portal>
      </Primitive.Root>
    </Primitive.Provider>
  )
}
