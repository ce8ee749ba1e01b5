import { useQueries, useQuery } from '@tanstack/react-query'
import type { LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { usersReadOverviewOptions } from '@/client/@tanstack/react-query.gen'
import type { Overview as OverviewData } from '@/client/types.gen'
import { Link } from '@/components/link'
import { Panel, PanelSkeleton, panelRow } from '@/components/panel'
import { Skeleton } from '@/components/skeleton'
import { QueryBoundary } from '@/components/query-boundary'
import { TimeAgo } from '@/components/time-ago'
import { textLink } from '@/components/ui/classes'
import { Alert } from '@/components/ui/alert'
import { Avatar } from '@/components/ui/avatar'
import { buttonClass } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/data/api/current-user'
import { countRows, resources } from '@/data/resources'
import { countText } from '@/lib/range-text'
import { DaysCharts } from './days-charts'
import { FirstSteps } from './first-steps'

const tiles = 'grid grid-cols-2 gap-4 lg:grid-cols-4'
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
  const { items, users, days, setup } = data
  const hasOthers = users !== null && totalOf(users) > 1
  const hasItems = items.count > 0
  const isNew = !hasItems || (users !== null && !hasOthers) || setup?.generated_password
  return (
    <>
      {!isNew && setup?.mail === false && (
        <Alert>Mail is not set up. Until SMTP_URL is set on the server, each mail is a file in its data folder.</Alert>
      )}
      {isNew && <FirstSteps hasItems={hasItems} hasInvited={hasOthers} setup={setup} />}
      {hasOthers && <Tiles users={users} days={days} />}
      {hasOthers && <DaysCharts days={days} />}
      {hasOthers && (
        <div className={panels}>
          {activity}
          <Panel
            title="Newest users"
            link={
              <Link to="/users" className={textLink}>
                All users
              </Link>
            }
          >
            {users.newest.map((user) => (
              <Row
                key={user.id}
                link={{ to: '/users/$userId', params: { userId: user.id } }}
                picture={<Avatar user={user} />}
                title={user.full_name || user.email}
                text={user.full_name && user.email}
                time={user.created_at}
              />
            ))}
          </Panel>
        </div>
      )}
      {hasItems && <RecentItems items={items} />}
      <ResourceTiles except={Object.keys(data)} />
    </>
  )
}

type ItemsData = OverviewData['items']
type UsersData = NonNullable<OverviewData['users']>

const totalOf = ({ active, inactive, invited }: UsersData) => active + inactive + invited

function Tiles({ users, days }: { users: UsersData; days: OverviewData['days'] }) {
  const { active, invited, expiring, idle, failed_log_ins: failed } = users
  const created = days?.reduce((sum, { new_users }) => sum + new_users, 0)
  return (
    <ul aria-label="Numbers" className={tiles}>
      <Tile
        label="Active users"
        number={active}
        note={created !== undefined && `${countText(created, 'new user')} in 30 days`}
        link={{ to: '/users', search: { status: 'active' } }}
      />
      <Tile
        label="Invited users"
        number={invited}
        note={expiring !== undefined && `${numberText(expiring)} expire${expiring === 1 ? 's' : ''} within 24 hours`}
        link={{ to: '/users', search: { status: 'invited' } }}
      />
      {idle !== undefined && (
        <Tile
          label="Not seen for 90 days"
          number={idle}
          note={`${Math.round((100 * idle) / totalOf(users))}% of all users`}
          link={{ to: '/users', search: { idle_days: 90 } }}
        />
      )}
      {failed && (
        <Tile
          label="Failed log-ins in 24 hours"
          number={failed.last_day}
          note={`${numberText(failed.day_before)} in the 24 hours before`}
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
  link: LinkProps
}

function Tile({ label, number, note, link }: TileProps) {
  return (
    <li>
      <Link {...link} className="block h-full min-h-26 rounded-lg border p-4 transition-colors hover:bg-surface">
        <span className="block text-muted-foreground">{label}</span>{' '}
        <span className="block text-2xl font-semibold tabular-nums">
          {number === undefined ? '…' : numberText(number)}
        </span>{' '}
        <span className="block min-h-4 text-xs/4 text-muted-foreground">{note}</span>
      </Link>
    </li>
  )
}

const numberText = (number: number) => number.toLocaleString('en')

function RecentItems({ items: { count, recently_edited } }: { items: ItemsData }) {
  return (
    <Panel
      title="Recently edited"
      link={
        <span className="flex items-center gap-4">
          <Link to="/items" className={textLink}>
            {countText(count, 'item')}
          </Link>
          <Link to="/items" search={{ add: '' }} className={buttonClass('secondary')}>
            Add Item
          </Link>
        </span>
      }
    >
      {recently_edited?.map(({ item, at }) => (
        <Row
          key={item.id}
          link={{ to: '/items', search: { edit: item.id } }}
          title={item.title}
          text={item.description}
          time={at}
        />
      ))}
    </Panel>
  )
}

interface RowProps {
  link: LinkProps
  picture?: ReactNode
  title: string
  text: string | null | undefined
  time: string
}

function Row({ link, picture, title, text, time }: RowProps) {
  return (
    <li>
      <Link {...link} className={panelRow}>
        {picture}
        <span className="min-w-0 flex-1">
          <span className="block font-medium">
            <UserText show="one line">{title}</UserText>
          </span>
          {text && (
            <span className="text-muted-foreground">
              {' '}
              <UserText show="one line">{text}</UserText>
            </span>
          )}
        </span>{' '}
        <span className="shrink-0 text-muted-foreground">
          <TimeAgo time={time} />
        </span>
      </Link>
    </li>
  )
}

function OverviewSkeleton() {
  const { is_superuser } = useCurrentUser()
  return (
    <>
      {is_superuser && (
        <>
          <div className={tiles}>
            {[1, 2, 3, 4].map((tile) => (
              <Skeleton key={tile} className="h-26" />
            ))}
          </div>
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
      <PanelSkeleton />
    </>
  )
}
