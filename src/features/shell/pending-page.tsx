import { useMatches } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Placeholder, RowsPlaceholder } from '@/components/placeholder'
import { contentClass } from './shell-skeleton'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    /** SPEC 2: it renders nothing while it loads. */
    isEmptyAtFirst?: true
  }
}

/** While the account loads after the log-in. */
export function PendingPage() {
  const isEmpty = useMatches({ select: (matches) => matches.at(-1)?.staticData.isEmptyAtFirst })
  return isEmpty ? null : <PagePlaceholder />
}

/** The place of a page. */
export function PagePlaceholder() {
  return (
    <div className={clsx(contentClass, 'grid gap-5 py-3 md:py-5')}>
      <Placeholder className="h-10 w-60" />
      <RowsPlaceholder />
    </div>
  )
}
