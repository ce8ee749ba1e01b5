import { clsx } from 'clsx'

/** A round field with a person's initials. */
export function Avatar({ initials }: { initials: string }) {
  return (
    <span
      className={clsx(
        'grid size-8 shrink-0 place-items-center overflow-hidden rounded-full bg-primary font-medium text-primary-foreground',
        initials.length > 2 ? 'text-[0.625rem]' : 'text-xs',
      )}
    >
      {initials}
    </span>
  )
}
