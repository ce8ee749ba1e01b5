import type { Message } from '@/client/types.gen'

/** A message of success, and after it what the API says beyond its own: what was removed from the account. */
export function withRemovalNote(success: string, answer: unknown): string {
  const { message = '' } = (answer ?? {}) as Partial<Message>
  const [, addition] = /^[^.]+\. (.+)$/.exec(message) ?? []
  return addition === undefined ? success : `${success} ${addition}.`
}
