import { useTheme } from 'next-themes'
import { CircleAlert, CircleCheck } from 'lucide-react'
import { type CSSProperties, useEffect } from 'react'
import { Toaster as Sonner } from 'sonner'
import { onSessionChange } from '@/data/session'
import { toast } from '@/browser/toast'
import { useMedia } from '@/browser/use-media'

const look = {
  '--width': '356px',
  '--normal-bg': 'var(--color-background)',
  '--normal-text': 'var(--color-foreground)',
  '--normal-border': 'var(--color-border)',
} as CSSProperties

export function Toaster() {
  const { theme = 'system' } = useTheme()
  const isOnTop = useMedia('(max-width: 767.98px), (max-width: 1207.98px) and (max-height: 719.98px)')
  // Toasts are about a session, so they disappear when it begins or ends.
  useEffect(() => onSessionChange(async () => toast.dismiss()), [])
  return (
    <div onFocus={({ target }) => hover(target, 'mousemove')} onBlur={({ target }) => hover(target, 'mouseout')}>
      <Sonner
        theme={theme as 'light' | 'dark' | 'system'}
        position={isOnTop ? 'top-right' : 'bottom-right'}
        duration={4000}
        visibleToasts={3}
        gap={14}
        icons={{
          success: <CircleCheck aria-hidden className="size-4 text-success" />,
          error: <CircleAlert aria-hidden className="size-4 text-destructive" />,
        }}
        style={look}
        closeButton
        swipeDirections={['right', 'left', isOnTop ? 'top' : 'bottom']}
        toastOptions={{
          classNames: {
            toast: 'py-2! pr-2! pl-3.5! font-sans! shadow-xl!',
            closeButton:
              'static! order-last ml-auto size-7! shrink-0 transform-none! rounded-md! border-0! bg-transparent!',
          },
        }}
      />
    </div>
  )
}

/** Simulates a pointer over the focused toast, because Sonner does not keep toasts for keyboard users. */
function hover(inToast: Element, move: 'mousemove' | 'mouseout'): void {
  inToast.closest('[data-sonner-toaster]')?.dispatchEvent(new MouseEvent(move, { bubbles: true }))
}
