import { clsx } from 'clsx'
import type { CSSProperties } from 'react'
import { shortInitials } from '@/lib/initials'

export interface AvatarProps {
  user: { id: string; full_name: string | null; email: string }
  size?: keyof typeof sizes
}

const sizes = { small: 'size-6 text-[0.625rem]', medium: 'size-8 text-xs', large: 'size-12 text-lg' }

/** A user's initials, hidden from screen readers. The colour distinguishes users with the same name. */
export function Avatar({ user, size = 'medium' }: AvatarProps) {
  return (
    <span
      data-initials={shortInitials(user)}
      style={{ '--hue': hueOf(user.id) } as CSSProperties}
      className={clsx(
        'grid shrink-0 avatar-colors place-items-center overflow-hidden rounded-full font-medium whitespace-nowrap select-none',
        sizes[size],
        "before:content-[attr(data-initials)_/_'']",
      )}
    />
  )
}

/** In degrees, far apart for ids that differ in one digit. */
function hueOf(id: string): number {
  let hue = 0
  for (const character of id) hue = (hue * 31 + character.charCodeAt(0)) % 360
  return (hue * 137) % 360
}
