import { type FieldErrors, get } from 'react-hook-form'

/** Every message of a field, each once, in the order of its rules (SPEC 5: forms show all messages). */
export function messagesOf(errors: FieldErrors, name: string): string[] {
  const error: unknown = get(errors, name)
  if (typeof error !== 'object' || error === null) return []
  const { types, message } = error as { types?: Record<string, unknown>; message?: unknown }
  const all = types === undefined ? [message] : Object.values(types).flat()
  return [...new Set(all.filter((text): text is string => typeof text === 'string' && text !== ''))]
}
