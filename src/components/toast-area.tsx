import { useSelector } from '@tanstack/react-store'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { showToasts, toastsWanted } from '@/lib/toast'
import { useHasToastsOnTop } from '@/lib/use-media'
import { lazyPart } from './lazy-part'

const toaster = lazyPart(async () => (await import('./ui/toaster')).Toaster, PlainToasts)

/** Shows toasts. Their library is loaded on demand. */
export function ToastArea() {
  return useSelector(toastsWanted) && <toaster.Part />
}

/** The duration of errors in the library. */
const PLAIN_DURATION_MS = 10_000

/** Shows the last toast if the library cannot be loaded. */
function PlainToasts() {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const stop = showToasts((toast) => {
      setText([toast.text, toast.note].filter(Boolean).join(' '))
      clearTimeout(timer)
      timer = setTimeout(() => setText(null), PLAIN_DURATION_MS)
    })
    return () => {
      stop()
      clearTimeout(timer)
    }
  }, [])
  return (
    <section
      aria-label="Notifications"
      className={clsx('fixed right-6 left-6 z-60 flex justify-end', useHasToastsOnTop() ? 'top-4' : 'bottom-6')}
    >
      {text !== null && (
        <p key={text} role="alert" className="rounded-md border border-input bg-background p-4 shadow-lg">
          {text}
        </p>
      )}
    </section>
  )
}
