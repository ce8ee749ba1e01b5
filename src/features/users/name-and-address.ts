import type { UserPublic } from '@/client/types.gen'
import { isolate } from '@/lib/isolate'

/** A user in the text of a dialog, such as `Grace Hopper, grace@example.com`. */
export function nameAndAddress({ full_name, email }: Pick<UserPublic, 'full_name' | 'email'>): string {
  return full_name ? `${isolate(full_name)}, ${isolate(email)}` : email
}
