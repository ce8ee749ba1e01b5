import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX } from 'lucide-react'
import { auditExportAudit, auditReadAudit } from '@/client/sdk.gen'
import type { AuditEntry } from '@/client/types.gen'
import { AddressDay } from '@/components/list/filter-day'
import { AddressSelect } from '@/components/list/filter-select'
import { EmptyState } from '@/components/empty-state'
import { ExportButton } from '@/components/list/export-button'
import { FilterNote } from '@/components/list/filter-note'
import { PassingButton } from '@/components/passing-button'
import { PageHeader } from '@/components/page-header'
import { QueryPart } from '@/components/query-part'
import { UserText } from '@/components/user-text'
import { auditLog } from '@/lib/lists'
import { AuditTable } from './audit-table'
import { actionName, auditActions, resultName, resultsOf } from './audit-words'

const noFilters = auditLog.toSearch({})
const actionOptions = [['', 'Any'], ...auditActions.map((action) => [action, actionName(action)] as const)] as const

export function AuditPage() {
  const filters = auditLog.toQuery({ ...useSearch({ from: '/_layout/audit' }) })
  const navigate = useNavigate({ from: '/audit' })
  const onChange = (changes: ReturnType<typeof auditLog.toSearch>) =>
    void navigate({ search: (search) => ({ ...search, ...changes }), resetScroll: false })
  const query = useInfiniteQuery({
    queryKey: [{ tags: ['audit'], filters }],
    queryFn: async ({ pageParam, signal }) =>
      (await auditReadAudit({ query: { ...filters, ...pageParam }, signal })).data,
    initialPageParam: {},
    getNextPageParam: ({ next }) => (next === null ? undefined : { before: next }),
    placeholderData: keepPreviousData,
    // A refetch would read all pages again.
    refetchOnWindowFocus: false,
  })
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { action, result = '', from = '', to = '', actor_id, subject_id } = filters
  return (
    <>
      <PageHeader title="Audit Log" description="What people and administrators did, newest first.">
        <ExportButton ask={() => auditExportAudit({ query: filters, parseAs: 'blob' })} fileName="audit.csv" />
      </PageHeader>
      <section aria-label="Filters" className="mt-6 flex flex-wrap items-end gap-2 lg:items-center lg:gap-x-3">
        <AddressSelect
          label="Event"
          width="md:w-44"
          value={action ?? ''}
          options={actionOptions}
          onChoose={(value) =>
            onChange({ action: value, result: resultsOf(value).includes(result) ? result : undefined })
          }
        />
        <AddressSelect
          label="Result"
          width="md:w-48"
          value={result}
          options={[['', 'Any'], ...resultsOf(action).map((value) => [value, resultName(value)] as const)]}
          textOf={resultName}
          onChoose={(value) => onChange({ result: value })}
        />
        <AddressDay label="From (UTC)" value={from} onChoose={(value) => onChange({ from: value })} />
        <AddressDay label="To (UTC)" value={to} onChoose={(value) => onChange({ to: value })} />
        {actor_id !== undefined && (
          <FilterNote clear="Show what everybody did" onClear={() => onChange({ actor_id: undefined })}>
            Done by <UserText>{emailIn(entries, actor_id) ?? 'one account'}</UserText>
          </FilterNote>
        )}
        {subject_id !== undefined && (
          <FilterNote clear="Show what was done to everybody" onClear={() => onChange({ subject_id: undefined })}>
            Done to <UserText>{emailIn(entries, subject_id) ?? 'one account'}</UserText>
          </FilterNote>
        )}
      </section>
      <div
        aria-busy={query.isPlaceholderData}
        className={clsx('mt-4 transition-opacity', query.isPlaceholderData && 'opacity-50 delay-150')}
      >
        <QueryPart query={query} absent="This server keeps no audit log.">
          {() =>
            entries.length === 0 ? (
              <EmptyState icon={SearchX} title="No entries found" text="Nothing matches the filters.">
                <PassingButton variant="secondary" onClick={() => onChange(noFilters)}>
                  Clear filters
                </PassingButton>
              </EmptyState>
            ) : (
              <>
                <AuditTable label="Audit Log" entries={entries} />
                <div className="mt-4 flex flex-col items-center gap-2">
                  {query.isFetchNextPageError && (
                    <p role="alert" className="text-destructive">
                      More entries could not be loaded.
                    </p>
                  )}
                  {query.hasNextPage && (
                    <PassingButton
                      variant="secondary"
                      pending={query.isFetchingNextPage}
                      onClick={() => void query.fetchNextPage({ cancelRefetch: false })}
                    >
                      Load more
                    </PassingButton>
                  )}
                </div>
              </>
            )
          }
        </QueryPart>
      </div>
    </>
  )
}

/** The email address of an account, if an entry has it. */
function emailIn(entries: readonly AuditEntry[], id: string): string | null | undefined {
  return entries.flatMap(({ actor, subject }) => [actor, subject]).find((party) => party?.id === id)?.email
}
