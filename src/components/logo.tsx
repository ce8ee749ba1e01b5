import { clsx } from 'clsx'

export function Logo({ withName = true }: { withName?: boolean }) {
  return (
    <span className="inline-flex items-center gap-2 text-base font-semibold tracking-tight">
      <svg aria-hidden viewBox="0 0 32 32" className="size-7 shrink-0">
        <rect width="32" height="32" rx="8" className="fill-primary" />
        <path
          d="M20.5 12c-.8-1.6-2.4-2.5-4.5-2.5-2.6 0-4.5 1.3-4.5 3.2 0 4.6 9.5 2 9.5 6.8 0 2-2 3.4-5 3.4-2.4 0-4.2-1-5-2.7"
          className="fill-none stroke-primary-foreground"
          strokeWidth="3"
          strokeLinecap="round"
        />
      </svg>
      <span className={clsx(!withName && 'sr-only')}>{import.meta.env.VITE_APP_NAME}</span>
    </span>
  )
}
