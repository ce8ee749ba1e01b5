import { useMatches } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { Skeleton, RowsSkeleton } from '@/components/skeleton'
import { contentClass } from './shell-skeleton'

export function PendingPage() {
  const isEmpty = useMatches({ select: (matches) => matches.at(-1)?.staticData.isEmptyAtFirst })
  return isEmpty ? null : <PageSkeleton />
}

export function PageSkeleton() {
  return (
    <div className={clsx(contentClass, 'grid gap-5 py-3 md:py-5')}>
      <Skeleton className="h-10 w-60" />
      <RowsSkeleton />
    </div>
  )
}
