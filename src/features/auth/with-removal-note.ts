import type { Message } from '@/client/types.gen'

/** Appends what the API says about things removed from the account, such as tokens. */
export function withRemovalNote(success: string, answer: unknown): string {
  const { message = '' } = (answer ?? {}) as Partial<Message>
  const [, addition] = /^[^.]+\. (.+)$/.exec(message) ?? []
  return addition === undefined ? success : `${success} ${addition}.`
}
