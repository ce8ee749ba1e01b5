import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { SearchX } from 'lucide-react'
import { useState } from 'react'
import * as z from 'zod/mini'
import { auditExportAudit } from '@/client/sdk.gen'
import type { AuditEntry } from '@/client/types.gen'
import { FilterButton } from '@/components/list/filter-button'
import { FilterDay } from '@/components/list/filter-day'
import { FilterSelect } from '@/components/list/filter-select'
import { EmptyState } from '@/components/empty-state'
import { ExportButton } from '@/components/list/export-button'
import { FilterNote } from '@/components/list/filter-note'
import { useFilters } from '@/components/list/use-filters'
import { DisappearingButton } from '@/components/disappearing-button'
import { PageHeader } from '@/components/page-header'
import { RowsSkeleton } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { UserText } from '@/components/ui/user-text'
import { auditQuery } from './audit-queries'
import { auditSearch, toAuditQuery } from './audit-search'
import { PersonSearch } from './person-search'
import { AuditTable } from './audit-table'
import { focusComingRowAfter } from '@/lib/focus-heading'
import { actionName, auditActions, resultName, resultsOf } from '@/data/audit-words'

const route = getRouteApi('/_layout/audit')
const names = z.keyof(auditSearch).options

const actionOptions = [['', 'Any'], ...auditActions.map((action) => [action, actionName(action)] as const)] as const

const timeOptions = [
  ['', 'Any'],
  ['today', 'Today'],
  ['yesterday', 'Yesterday'],
  ['24h', 'Last 24 hours'],
  ['7d', 'Last 7 days'],
  ['range', 'From … to …'],
] as const

export function AuditPage() {
  const search = route.useSearch()
  const filters = useFilters(search, names)
  /** The addresses of chosen people, by id, for lists without an entry. */
  const [chosen, setChosen] = useState<Partial<Record<string, string>>>({})
  const [isSheetOpen, setSheetOpen] = useState(false)
  const [isRangeWanted, setRangeWanted] = useState(false)
  const query = useInfiniteQuery({ ...auditQuery(search), placeholderData: keepPreviousData })
  const entries = query.data?.pages.flatMap(({ data }) => data) ?? []
  const { action, result = '', actor_id, subject_id, from, to } = search
  const isRange = search.last === undefined && (isRangeWanted || from !== undefined || to !== undefined)
  const fields = (
    <>
      <FilterSelect
        label="Event"
        value={action}
        options={actionOptions}
        onChoose={(value) =>
          filters.change({ action: value, result: resultsOf(value).includes(result) ? result : undefined })
        }
      />
      <FilterSelect
        label="Result"
        value={result}
        options={[['', 'Any'], ...resultsOf(action).map((value) => [value, resultName(value)] as const)]}
        textOf={resultName}
        onChoose={(value) => filters.change({ result: value })}
      />
      <FilterSelect
        label="Time"
        value={isRange ? 'range' : search.last}
        options={timeOptions}
        onChoose={(value) => {
          setRangeWanted(value === 'range')
          filters.change({ last: value === 'range' ? undefined : value, from: undefined, to: undefined })
        }}
      />
      {isRange && (
        <>
          <FilterDay label="From (UTC)" value={from} onPick={(day) => filters.change({ from: day })} />
          <FilterDay label="To (UTC)" value={to} onPick={(day) => filters.change({ to: day })} />
        </>
      )}
    </>
  )
  const isReversed = from !== undefined && to !== undefined && from > to
  return (
    <>
      <PageHeader title="Audit Log" description="What people did, newest first.">
        <ExportButton
          request={() => auditExportAudit({ query: toAuditQuery(search), parseAs: 'blob' })}
          fileName="audit.csv"
        />
      </PageHeader>
      <section aria-label="Filters" className="@container mt-2 md:mt-3 print:hidden">
        <div className="flex flex-wrap items-center gap-2">
          <div data-chips className="cards:hidden columns:contents">
            {/* Each filter is in the document once. */}
            {!isSheetOpen && fields}
          </div>
          <PersonSearch
            onChoose={(name, { id, email }) => {
              setChosen({ ...chosen, [id]: email })
              filters.change({ [name]: id })
            }}
          />
          <div className="columns:hidden">
            <FilterButton
              filters={filters}
              description="Which entries are shown."
              done="Show Entries"
              isPlaceholderData={query.isPlaceholderData}
              isOpen={isSheetOpen}
              setOpen={setSheetOpen}
            >
              {fields}
            </FilterButton>
          </div>
          {actor_id && (
            <FilterNote
              filters={filters}
              clear="Show what everybody did"
              onClear={() => filters.change({ actor_id: undefined })}
            >
              Done by <UserText>{emailIn(entries, actor_id) ?? chosen[actor_id] ?? 'one account'}</UserText>
            </FilterNote>
          )}
          {subject_id && (
            <FilterNote
              filters={filters}
              clear="Show what was done to everybody"
              onClear={() => filters.change({ subject_id: undefined })}
            >
              Done to <UserText>{emailIn(entries, subject_id) ?? chosen[subject_id] ?? 'one account'}</UserText>
            </FilterNote>
          )}
        </div>
      </section>
      <div
        aria-busy={query.isPlaceholderData}
        className={clsx('mt-2 transition-opacity', query.isPlaceholderData && 'opacity-50 delay-150')}
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

/** The email address of an account, if an entry has it. */
function emailIn(entries: readonly AuditEntry[], id: string | undefined): string | null | undefined {
  return entries.flatMap(({ actor, subject }) => [actor, subject]).find((party) => party?.id === id)?.email
}
