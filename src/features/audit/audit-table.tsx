import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import { useState } from 'react'
import type { AuditEntry, AuditParty } from '@/client/types.gen'
import { Link } from '@/components/link'
import { Moment } from '@/components/time'
import type { Column } from '@/components/list/column'
import { DataTable } from '@/components/list/data-table'
import { Dash } from '@/components/ui/missing'
import { nameClass } from '@/components/list/opener-column'
import { plainLink } from '@/components/ui/classes'
import { UserText } from '@/components/ui/user-text'
import { exactTime } from '@/lib/time-text'
import { detailsOf, eventText, isByServer, nameIn } from './audit-words'

const oneLine = 'block min-w-0 group-has-[[aria-expanded=false]]/row:truncate'

const columns: readonly Column<AuditEntry>[] = [
  { header: 'Time', area: 'title-end-long', chars: 19, cell: ({ at }) => <Moment time={at} /> },
  { header: 'Event', role: 'title', minWidth: 13, cell: (entry) => <Event entry={entry} /> },
  { header: 'Who', area: 'second', cell: (entry) => <Who entry={entry} /> },
  { header: 'Whom', area: 'second-end', cell: (entry) => <Whom entry={entry} /> },
  {
    header: 'From where',
    area: 'details',
    isNamed: true,
    width: 8,
    cell: ({ address }) => (
      <span title={address} className={oneLine}>
        {address}
      </span>
    ),
  },
]

export type Side = 'subject_id' | 'actor_id'

const columnsOf: Record<Side, readonly Column<AuditEntry>[]> = {
  subject_id: columns.filter(({ header }) => header !== 'Whom'),
  actor_id: columns.filter(({ header }) => header !== 'Who'),
}

interface AuditTableProps {
  label: string
  entries: readonly AuditEntry[]
  /** Set if all entries have the same account on this side. */
  side?: Side | undefined
}

export function AuditTable({ label, entries, side }: AuditTableProps) {
  return <DataTable label={label} columns={side ? columnsOf[side] : columns} rows={entries} />
}

function Event({ entry }: { entry: AuditEntry }) {
  const [isOpen, setOpen] = useState(false)
  const name = nameIn(entry.details)
  const details = detailsOf(entry.details).filter(({ from, value = '' }) => from !== undefined || value !== name)
  const hint = 'text-xs font-normal text-muted-foreground'
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        className={clsx(nameClass, 'gap-1')}
        onClick={() => setOpen(!isOpen)}
      >
        <span className={oneLine}>
          <span>{eventText(entry)}</span>
          {name !== undefined && (
            <>
              <span>: </span>
              <UserText>{name}</UserText>
            </>
          )}
        </span>
        <ChevronDown aria-hidden className={clsx('size-4 shrink-0 text-muted-foreground', isOpen && 'rotate-180')} />
      </button>
      {isOpen && <span className={`block whitespace-pre-line ${hint}`}>{exactTime(entry.at)}</span>}
      {details.length > 0 && (
        <ul className={clsx(hint, !isOpen && 'line-clamp-1 narrow:hidden')} aria-label="Details">
          {details.map(({ label, from, value }, index) => (
            // oxlint-disable-next-line react/no-array-index-key -- details of other servers may have the same words
            <li key={index} className="inline not-last:after:content-['_·_']">
              {value === undefined ? label : `${label}: `}
              {from !== undefined && (
                <>
                  <UserText>{from}</UserText> <span aria-hidden>→</span>
                  <span className="sr-only">to</span>{' '}
                </>
              )}
              {value !== undefined && <UserText>{value}</UserText>}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Who({ entry }: { entry: AuditEntry }) {
  return isByServer(entry) ? <span className="text-muted-foreground">Server</span> : <Party party={entry.actor} />
}

/** Cards show the subject of an entry only if somebody else acted. */
function Whom({ entry: { actor, subject } }: { entry: AuditEntry }) {
  const isSelf = actor?.id === subject?.id
  return (
    <span
      data-repeated={isSelf || undefined}
      className="cards:flex cards:items-center cards:gap-1 cards:before:content-['→'_/_''] cards:data-repeated:hidden"
    >
      <Party party={subject} />
    </span>
  )
}

function Party({ party }: { party: AuditParty | null }) {
  if (party === null) return <Dash />
  if (party.email === null) return <span className="text-muted-foreground">Deleted account</span>
  return (
    <Link
      to="/users/$userId"
      params={{ userId: party.id }}
      title={party.email}
      className={clsx(plainLink, 'max-w-full')}
    >
      <span className={clsx(oneLine, 'cards:py-1')}>
        <UserText>{party.email}</UserText>
      </span>
    </Link>
  )
}
