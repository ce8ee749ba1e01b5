import { Link } from '@tanstack/react-router'
import type { AuditEntry, AuditParty } from '@/client/types.gen'
import { type Column, DataTable, NotAvailable } from '@/components/list/data-table'
import { textLink } from '@/components/text-link'
import { UserText } from '@/components/ui/user-text'
import { exactTime } from '@/lib/time-ago'
import { detailsOf, eventText } from '@/lib/audit-words'

const columns: readonly Column<AuditEntry>[] = [
  { header: 'Time (UTC)', place: 'end of first line', width: 'columns:w-48', cell: ({ at }) => <Moment time={at} /> },
  { header: 'Event', role: 'title', cell: (entry) => <Event entry={entry} /> },
  { header: 'Who', isNamed: true, cell: ({ actor }) => <Party party={actor} /> },
  { header: 'Whom', isNamed: true, cell: ({ subject }) => <Party party={subject} /> },
  { header: 'From where', isNamed: true, width: 'columns:w-36', cell: ({ address }) => address },
]

export function AuditTable({ label, entries }: { label: string; entries: readonly AuditEntry[] }) {
  return <DataTable label={label} columns={columns} rows={entries} />
}

const format = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'medium', timeZone: 'UTC' })

/** In UTC, like the filters, so that a link shows all users the same. */
function Moment({ time }: { time: string }) {
  return (
    <time dateTime={time} title={`Your time: ${exactTime(time)}`} className="whitespace-nowrap">
      {format.format(Date.parse(time))}
    </time>
  )
}

/** What happened and, below it, what changed. */
function Event({ entry }: { entry: AuditEntry }) {
  const details = detailsOf(entry.details ?? null)
  return (
    <>
      {eventText(entry)}
      {details.length > 0 && (
        <ul className="line-clamp-3 text-xs font-normal text-muted-foreground" aria-label="Details">
          {details.map(({ label, from, value }) => (
            <li key={label} className="inline not-last:after:content-['_·_']">
              {label}
              {from !== undefined && (
                <>
                  {': '}
                  <UserText>{from}</UserText> <span aria-hidden>→</span>
                  <span className="sr-only">to</span>
                </>
              )}
              {value !== undefined && (
                <>
                  {from === undefined ? ': ' : ' '}
                  <UserText>{value}</UserText>
                </>
              )}
            </li>
          ))}
        </ul>
      )}
    </>
  )
}

function Party({ party }: { party: AuditParty | null }) {
  if (party === null) return <NotAvailable />
  if (party.email === null) return <span className="text-muted-foreground">Deleted account</span>
  return (
    <Link to="/users/$userId" params={{ userId: party.id }} className={textLink}>
      <UserText>{party.email}</UserText>
    </Link>
  )
}
