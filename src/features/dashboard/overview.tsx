import { useQueries, useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usersReadOverviewOptions } from '@/client/@tanstack/react-query.gen'
import type { Overview as OverviewData } from '@/client/types.gen'
import { Link, TextLink } from '@/components/link'
import { Panel, PanelRow, PanelSkeleton } from '@/components/panel'
import { Skeleton, SkeletonOf } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { Alert } from '@/components/ui/alert'
import { Avatar } from '@/components/ui/avatar'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/data/api/current-user'
import { instanceOfPage } from '@/data/page-instance'
import { countRows, resources } from '@/data/resources'
import { numberText } from '@/lib/text'
import { DaysCharts } from './days-charts'
import { FirstSteps } from './first-steps'
import { hasItems, RecentItems, RecentItemsSkeleton } from './items/overview-items'

const tiles = 'grid grid-cols-2 gap-4 columns:grid-cols-4'
const panels = 'grid gap-4 lg:grid-cols-2'

export function Overview({ activity }: { activity: ReactNode }) {
  const query = useQuery({ ...usersReadOverviewOptions(), retryOnMount: false })
  return (
    <div className="mt-5 grid gap-4">
      <QueryBoundary query={query} absent={null} waiting={<OverviewSkeleton />}>
        {(data) => <Content data={data} activity={activity} />}
      </QueryBoundary>
    </div>
  )
}

function Content({ data, activity }: { data: OverviewData; activity: ReactNode }) {
  const { users, days, setup } = data
  const hasOthers = users !== null && totalOf(users) > 1
  const isNew = [
    // One entry on each line, because `npm run new -- remove items` removes lines.
    !hasItems(data),
    users !== null && !hasOthers,
    setup?.generated_password,
  ].includes(true)
  return (
    <>
      {!isNew && setup?.mail === false && <MailNotice />}
      {isNew && <FirstSteps overview={data} hasInvited={hasOthers} />}
      {hasOthers && <Tiles users={users} days={days} />}
      {hasOthers && <DaysCharts days={days} />}
      {hasOthers && (
        <div className={panels}>
          {activity}
          <Panel title="Newest users" link={<TextLink to="/users">All users</TextLink>}>
            {users.newest.map((user) => (
              <PanelRow
                key={user.id}
                link={{ to: '/users/$userId', params: { userId: user.id } }}
                picture={<Avatar user={user} />}
                title={<UserText show="one line">{user.full_name || user.email}</UserText>}
                text={user.full_name && <UserText show="one line">{user.email}</UserText>}
                time={user.created_at}
              />
            ))}
          </Panel>
        </div>
      )}
      <RecentItems {...data} />
      <ResourceTiles except={Object.keys(data)} />
    </>
  )
}

const MailNotice = () => (
  <Alert>Mail is not set up. Until SMTP_URL is set on the server, each mail is a file in its data folder.</Alert>
)

type UsersData = NonNullable<OverviewData['users']>

const totalOf = ({ active, inactive, invited }: UsersData) => active + inactive + invited

const labels = {
  active: 'Active users',
  invited: 'Invited users',
  idle: 'Not seen for 90 days',
  failed: 'Failed log-ins in 24 hours',
}

function Tiles({ users, days }: { users: UsersData; days: OverviewData['days'] }) {
  const { active, invited, expiring, idle, failed_log_ins: failed } = users
  const created = days?.reduce((sum, { new_users }) => sum + new_users, 0)
  return (
    <ul aria-label="Numbers" className={tiles}>
      <Tile
        label={labels.active}
        number={active}
        note={created !== undefined && `${numberText(created)} new in 30 days`}
        link={{ to: '/users', search: { status: 'active' } }}
      />
      <Tile
        label={labels.invited}
        number={invited}
        note={expiring !== undefined && `${numberText(expiring)} expire${expiring === 1 ? 's' : ''} in a day`}
        link={{ to: '/users', search: { status: 'invited' } }}
      />
      {idle !== undefined && (
        <Tile
          label={labels.idle}
          number={idle}
          note={`${Math.round((100 * idle) / totalOf(users))}% of all users`}
          link={{ to: '/users', search: { idle_days: 90 } }}
        />
      )}
      {failed && (
        <Tile
          label={labels.failed}
          number={failed.last_day}
          note={`${numberText(failed.day_before)} the day before`}
          link={{ to: '/audit', search: { action: 'log-in', result: 'failed', last: '24h' } }}
        />
      )}
    </ul>
  )
}

function ResourceTiles({ except }: { except: readonly string[] }) {
  const shown = resources.filter(({ tag }) => !except.includes(tag))
  const counts = useQueries({ queries: shown.map((resource) => countRows(resource)) })
  if (shown.length === 0) return null
  return (
    <ul aria-label="Your data" className={tiles}>
      {shown.map(({ tag, title, to }, index) => (
        <Tile key={tag} label={title} number={counts[index]?.data} link={{ to }} />
      ))}
    </ul>
  )
}

interface TileProps {
  label: string
  /** `undefined` while it is read. */
  number: number | undefined
  note?: ReactNode
  /** Without a link, the tile is the place of one that loads. */
  link?: LinkProps
}

function Tile({ label, number, note, link }: TileProps) {
  const text = (
    <>
      <span className="block text-muted-foreground">{label}</span>{' '}
      <span className="block text-2xl font-semibold tabular-nums">
        {number === undefined ? '…' : numberText(number)}
      </span>{' '}
      {/* One line, because a second one would depend on the numbers, and the skeleton has none. */}
      <span className="block min-h-4 truncate text-xs/4 text-muted-foreground">{note}</span>
    </>
  )
  const tile = 'block min-h-26 rounded-lg border p-4'
  return (
    <li>
      {link ? (
        <Link {...link} className={`${tile} h-full transition-colors hover:bg-surface`}>
          {text}
        </Link>
      ) : (
        <SkeletonOf>
          <div className={tile}>{text}</div>
        </SkeletonOf>
      )}
    </li>
  )
}

function OverviewSkeleton() {
  const { is_superuser } = useCurrentUser()
  return (
    <>
      {is_superuser && (
        <>
          {instanceOfPage().mail === false && (
            <SkeletonOf>
              <MailNotice />
            </SkeletonOf>
          )}
          <ul aria-hidden className={tiles}>
            {Object.values(labels).map((label) => (
              <Tile key={label} label={label} number={undefined} />
            ))}
          </ul>
          <div className={panels}>
            <Skeleton className="h-46" />
            <Skeleton className="h-46" />
          </div>
          <div className={panels}>
            <PanelSkeleton />
            <PanelSkeleton />
          </div>
        </>
      )}
      <RecentItemsSkeleton />
    </>
  )
}
