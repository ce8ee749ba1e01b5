import { useTheme } from 'next-themes'
import { useEffect } from 'react'
import { toast as sonner, Toaster as Sonner } from 'sonner'
import { showToasts } from '@/lib/toast'

/** Errors stay longer than the 4 s of everything else: they take more reading (SPEC 9 has the other figures). */
const ERROR_DURATION_MS = 10_000

export default function Toaster() {
  const { theme = 'system' } = useTheme()
  useEffect(
    () =>
      showToasts(({ kind, text }) => {
        if (kind === 'error') sonner.error(text, { duration: ERROR_DURATION_MS })
        else sonner.success(text)
      }),
    [],
  )
  return (
    <Sonner
      theme={theme as 'light' | 'dark' | 'system'}
      duration={4000}
      visibleToasts={3}
      gap={14}
      style={{ '--width': '356px' } as React.CSSProperties}
      closeButton
      richColors
    />
  )
}
