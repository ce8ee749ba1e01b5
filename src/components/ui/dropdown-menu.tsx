import * as Primitive from '@radix-ui/react-dropdown-menu'
import { clsx } from 'clsx'
import type { ComponentProps, ReactNode } from 'react'

/** Not modal, so that a click on the page closes the menu and takes effect. */
export function DropdownMenu(props: { open: boolean; onOpenChange: (open: boolean) => void; children: ReactNode }) {
  return <Primitive.Root {...props} modal={false} />
}

export const DropdownMenuTrigger = Primitive.Trigger

/** Returns the focus to its button, unless the chosen entry has moved it. */
export function DropdownMenuContent({ className, ...props }: ComponentProps<typeof Primitive.Content>) {
  return (
    <Primitive.Portal>
      <Primitive.Content
        sideOffset={4}
        collisionPadding={8}
        {...props}
        onCloseAutoFocus={(event) => {
          if (document.activeElement !== document.body) event.preventDefault()
        }}
        className={clsx(
          'z-50 min-w-40 origin-(--radix-dropdown-menu-content-transform-origin) animate-menu-in rounded-lg border bg-background p-1 shadow-lg',
          className,
        )}
      />
    </Primitive.Portal>
  )
}

export function DropdownMenuItem({ className, ...props }: ComponentProps<typeof Primitive.Item>) {
  return (
    <Primitive.Item
      {...props}
      className={clsx(
        'flex min-h-8 cursor-default items-center gap-2 rounded-md px-2 outline-none select-none pointer-coarse:min-h-11',
        'data-highlighted:bg-muted [&_svg]:size-4 [&_svg]:text-muted-foreground',
        className,
      )}
    />
  )
}
