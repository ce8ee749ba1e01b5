import type { FilePublic } from '@/client/types.gen'

// Form fields have a file as text, so that values can be compared and stored in drafts.

/** The value while a file is being sent. Forms refuse to save it. */
export const SENDING = 'sending'

const BEGINNING = '{"id":'

export function fileText(file: FilePublic | null): string {
  if (!file) return ''
  const { id, name, type, size } = file
  return JSON.stringify({ id, name, type, size })
}

export function fileIn(text: unknown): FilePublic | undefined {
  if (typeof text !== 'string' || !text.startsWith(BEGINNING)) return undefined
  try {
    return JSON.parse(text) as FilePublic
  } catch {
    // The text comes from a damaged draft.
    return undefined
  }
}

/** Such as `3 KB`, in units of 1,000. */
export function sizeText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB']
  const power = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** power
  return `${value < 10 && power > 0 ? value.toFixed(1) : Math.round(value)} ${units[power] ?? ''}`
}
