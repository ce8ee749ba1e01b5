import { useEffect, useState } from 'react'
import { toText } from '@/lib/search-params'

const SEARCH_AFTER_MS = 200

/** `q` follows the typed text after a pause. `isAsked` is whether `q` is already the typed text. */
export function useSearchText(text: string): { q: string; isAsked: boolean; isEmpty: boolean } {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), SEARCH_AFTER_MS)
    return () => clearTimeout(timer)
  }, [text])
  const q = toText(settled)
  const typed = toText(text)
  return { q: q ?? '', isAsked: q !== undefined && q === typed, isEmpty: typed === undefined }
}
