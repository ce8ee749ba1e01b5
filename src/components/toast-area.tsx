import { useSelector } from '@tanstack/react-store'
import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { onSessionChange } from '@/lib/session'
import { showToasts, toast, toastsWanted } from '@/lib/toast'
import { useHasToastsOnTop } from '@/lib/use-media'
import { interaction } from './lazy/interaction'

/** Shows toasts. */
export function ToastArea() {
  const areWanted = useSelector(toastsWanted)
  const code = useSelector(interaction.code)
  const [isPlain, setPlain] = useState(false)
  useEffect(() => {
    if (areWanted) interaction.load().catch(() => setPlain(true))
  }, [areWanted])
  // They are about the session that begins or ends. What ends it may report that afterwards.
  useEffect(() => onSessionChange(async () => toast.dismiss()), [])
  if (code) return <code.Toaster />
  return isPlain && <PlainToasts />
}

/** The duration of errors in the library. */
const PLAIN_DURATION_MS = 10_000

/** Shows the last toast if the code of the others cannot be loaded. */
function PlainToasts() {
  const [text, setText] = useState<string | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let shown: string | undefined
    const stop = showToasts({
      show: ({ id, text: title, note }) => {
        shown = id
        setText([title, note].filter(Boolean).join(' '))
        clearTimeout(timer)
        timer = setTimeout(() => setText(null), PLAIN_DURATION_MS)
      },
      dismiss: (id) => {
        if (id === undefined || id === shown) setText(null)
      },
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
        <p key={text} role="alert" className="rounded-md border bg-background p-4 shadow-xl">
          {text}
        </p>
      )}
    </section>
  )
}
