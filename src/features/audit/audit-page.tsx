import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { auditExportAudit } from '@/client/sdk.gen'
import type { Option } from '@/components/list/filter-select'
import { FilterTime } from '@/components/list/filter-time'
import { EmptyState } from '@/components/empty-state'
import { ExportButton, useExport } from '@/components/list/export-button'
import { FilterNote } from '@/components/list/filter-note'
import { useFilters } from '@/components/list/filters'
import { DisappearingButton } from '@/components/buttons'
import { PageHeader } from '@/components/page-header'
import { RowsSkeleton } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { UserText } from '@/components/ui/user-text'
import { AuditFinder } from './audit-finder'
import { auditQuery, type AuditSearch, auditSearch, toAuditQuery } from './audit-queries'
import { AuditTable } from './audit-table'
import { focusComingRowAfter } from '@/browser/focus-heading'
import { actionName, resultName } from './audit-words'

const route = getRouteApi('/_layout/audit')
const names = z.keyof(auditSearch).options

const periods: readonly Option<NonNullable<AuditSearch['last']>>[] = [
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
]

export function AuditPage() {
  const search = route.useSearch()
  const filters = useFilters(search, names)
  // The addresses of chosen users by id. If no entry is shown, filters cannot take the addresses from entries.
  const [chosen, setChosen] = useState<Partial<Record<string, string>>>({})
  const query = useInfiniteQuery({ ...auditQuery(search), placeholderData: keepPreviousData })
  const exporting = useExport('audit.csv', () => auditExportAudit({ query: toAuditQuery(search), parseAs: 'blob' }))
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { q, action, result, actor_id, subject_id, from, to } = search
  function nameOf(id: string) {
    const party = entries.flatMap(({ actor, subject }) => [actor, subject]).find((one) => one?.id === id)
    return <UserText>{party?.email ?? chosen[id] ?? 'one account'}</UserText>
  }
  const details = q && (
    <>
      Details contain <UserText>{q}</UserText>
    </>
  )
  const notes = [
    { of: 'action', text: action && <span>{actionName(action)}</span>, clear: 'Show all events' },
    { of: 'result', text: result && <span>{resultName(result)}</span>, clear: 'Show all results' },
    { of: 'actor_id', text: actor_id && <>Done by {nameOf(actor_id)}</>, clear: 'Show events by everyone' },
    { of: 'subject_id', text: subject_id && <>Done to {nameOf(subject_id)}</>, clear: 'Show events about everyone' },
    { of: 'q', text: details, clear: 'Show all details' },
  ] as const
  const isReversed = from !== undefined && to !== undefined && from > to
  return (
    <>
      <PageHeader title="Audit Log" description="What people did, newest first.">
        <ExportButton {...exporting} />
      </PageHeader>
      <section aria-label="Filters" className="@container mt-3 md:mt-4 print:hidden">
        <div className="flex flex-wrap items-center gap-2">
          <AuditFinder
            search={search}
            onChoose={(filter, user) => {
              if (user) setChosen({ ...chosen, [user.id]: user.email })
              filters.change(filter)
            }}
          />
          <div data-chips className="contents">
            <FilterTime
              label="Time"
              periods={periods}
              period={search.last}
              from={from}
              to={to}
              onChoose={({ period, ...days }) => filters.change({ last: period, ...days })}
            />
          </div>
          {notes
            .filter(({ text }) => text)
            .map(({ of, text, clear }) => (
              <FilterNote key={of} clear={clear} onClear={() => filters.remove([of])}>
                {text}
              </FilterNote>
            ))}
        </div>
      </section>
      <div
        aria-busy={query.isPlaceholderData}
        className={clsx('mt-3 transition-opacity', query.isPlaceholderData && 'opacity-50 delay-150')}
      >
        <QueryBoundary query={query} absent="This server keeps no audit log." waiting={<RowsSkeleton />}>
          {() =>
            entries.length === 0 ? (
              <EmptyState
                icon={SearchX}
                title="No entries found"
                text={isReversed ? '“From” is after “To”.' : 'Nothing matches the filters.'}
              >
                <DisappearingButton variant="secondary" onClick={filters.clear}>
                  Clear filters
                </DisappearingButton>
              </EmptyState>
            ) : (
              <>
                <AuditTable
                  label="Audit Log"
                  entries={entries}
                  side={subject_id ? 'subject_id' : actor_id ? 'actor_id' : undefined}
                />
                <div className="mt-4 flex flex-col items-center gap-2">
                  {query.isFetchNextPageError && (
                    <p role="alert" className="text-destructive">
                      More entries could not be loaded.
                    </p>
                  )}
                  {query.hasNextPage && (
                    <DisappearingButton
                      variant="secondary"
                      pending={query.isFetchingNextPage}
                      onClick={() => {
                        void query.fetchNextPage({ cancelRefetch: false })
                        focusComingRowAfter(entries.at(-1)?.id ?? '')
                      }}
                    >
                      Load more
                    </DisappearingButton>
                  )}
                </div>
              </>
            )
          }
        </QueryBoundary>
      </div>
    </>
  )
}
