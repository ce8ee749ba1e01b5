import { useQuery } from '@tanstack/react-query'
import { Link, type LinkProps } from '@tanstack/react-router'
import { clsx } from 'clsx'
import { usersReadOverviewOptions } from '@/client/@tanstack/react-query.gen'
import type { Overview as OverviewData, UserPublic } from '@/client/types.gen'
import { TimeAgo } from '@/components/time-ago'
import { Avatar } from '@/components/ui/avatar'
import { UserText } from '@/components/ui/user-text'
import { useCurrentUser } from '@/lib/api/current-user'

const linkCard = 'block h-full min-w-0 rounded-lg border p-4 transition-colors hover:bg-surface'
const blank = 'rounded-lg border bg-surface'
const itemCards = 'grid gap-4 sm:grid-cols-[minmax(10rem,1fr)_3fr]'
const statusCards = 'grid gap-4 sm:grid-cols-3'
const statuses = ['active', 'inactive', 'invited'] as const
const countLabels = { active: 'Active users', inactive: 'Inactive users', invited: 'Invited users' }

/** Numbers, the last edited item and the newest users, as links. Renders nothing if the back end cannot provide them. */
export function Overview() {
  const { data, failureCount } = useQuery(usersReadOverviewOptions())
  if (data === undefined) return failureCount === 0 && <Skeleton />
  const { items, users } = data
  return (
    <div className="mt-6 grid gap-4">
      {items.count === 0 ? <FirstSteps /> : <Items items={items} />}
      {users && <Users users={users} />}
    </div>
  )
}

type ItemsData = OverviewData['items']

function Items({ items: { count, last_edited } }: { items: ItemsData }) {
  return (
    <ul aria-label="Items" className={itemCards}>
      <li>
        <NumberCard label="Items" number={count} link={{ to: '/items' }} />
      </li>
      {last_edited && (
        <li className="min-w-0">
          <LastEdited {...last_edited} />
        </li>
      )}
    </ul>
  )
}

function LastEdited({ item: { id, title, description }, at }: NonNullable<ItemsData['last_edited']>) {
  return (
    <Link to="/items" search={{ dialog: { kind: 'edit', id } }} className={linkCard}>
      <span className="flex flex-wrap justify-between gap-x-4 text-muted-foreground">
        <span>Last edited</span> <TimeAgo time={at} />
      </span>{' '}
      <span className="mt-1 block font-medium">
        <UserText show="one line">{title}</UserText>
      </span>
      {description && (
        <span className="text-muted-foreground">
          {' '}
          <UserText show="one line">{description}</UserText>
        </span>
      )}
    </Link>
  )
}

function Users({ users: { newest, ...counts } }: { users: NonNullable<OverviewData['users']> }) {
  return (
    <>
      <ul aria-label="Users" className={statusCards}>
        {statuses.map((status) => (
          <li key={status}>
            <NumberCard
              label={countLabels[status]}
              number={counts[status]}
              link={{ to: '/users', search: { status } }}
            />
          </li>
        ))}
      </ul>
      <section aria-labelledby="newest-users" className="overflow-hidden rounded-lg border">
        <h2 id="newest-users" className="border-b px-4 py-3 text-muted-foreground">
          Newest users
        </h2>
        <ul className="divide-y">
          {newest.map((user) => (
            <li key={user.id}>
              <NewestUser user={user} />
            </li>
          ))}
        </ul>
      </section>
    </>
  )
}

function NewestUser({ user }: { user: UserPublic }) {
  const { id, email, full_name, created_at } = user
  return (
    <Link
      to="/users/$userId"
      params={{ userId: id }}
      className="flex items-center gap-3 px-4 py-3 -outline-offset-2 transition-colors hover:bg-surface"
    >
      <Avatar user={user} />
      <span className="min-w-0 flex-1">
        <span className="block font-medium">
          <UserText show="one line">{full_name || email}</UserText>
        </span>
        {full_name && (
          <span className="text-muted-foreground">
            {' '}
            <UserText show="one line">{email}</UserText>
          </span>
        )}
      </span>{' '}
      <span className="shrink-0 text-muted-foreground">
        <TimeAgo time={created_at} />
      </span>
    </Link>
  )
}

/** Suggestions for users without items. */
function FirstSteps() {
  const { full_name, is_superuser } = useCurrentUser()
  return (
    <section aria-labelledby="first-steps">
      <h2 id="first-steps" className="mb-3 text-lg font-semibold">
        First steps
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        <Step title="Add your first item" text="A title, and a description if you like." link={addItem} />
        {is_superuser && <Step title="Invite a user" text="They choose their own password." link={inviteUser} />}
        {!full_name && <Step title="Add your name" text="It is shown in place of your email." link={addName} />}
        <Step title="Choose a theme" text="Light, dark, or as your system has it." link={chooseTheme} />
      </ul>
    </section>
  )
}

const addItem: LinkProps = { to: '/items', search: { dialog: { kind: 'add' } } }
const inviteUser: LinkProps = { to: '/users', search: { dialog: { kind: 'invite' } } }
const addName: LinkProps = { to: '/settings' }
const chooseTheme: LinkProps = { to: '/settings', search: { tab: 'appearance' } }

function Step({ title, text, link }: { title: string; text: string; link: LinkProps }) {
  return (
    <li>
      <Link {...link} className={linkCard}>
        <span className="block font-medium">{title}</span>{' '}
        <span className="mt-1 block text-muted-foreground">{text}</span>
      </Link>
    </li>
  )
}

/** On narrow screens, the number is beside its label. */
function NumberCard({ label, number, link }: { label: string; number: number; link: LinkProps }) {
  return (
    <Link {...link} className={clsx(linkCard, 'max-sm:flex max-sm:items-center max-sm:justify-between')}>
      <span className="block text-muted-foreground">{label}</span>{' '}
      <span className="block text-xl font-semibold tabular-nums sm:mt-1 sm:text-2xl">
        {number.toLocaleString('en')}
      </span>
    </Link>
  )
}

/** Placeholders with the size of the cards. */
function Skeleton() {
  const { is_superuser } = useCurrentUser()
  return (
    <div aria-hidden className="mt-6 grid gap-4 *:motion-safe:animate-pulse">
      <div className={itemCards}>
        <div className={clsx(blank, 'h-15.5 sm:h-25')} />
        <div className={clsx(blank, 'h-25')} />
      </div>
      {is_superuser && (
        <>
          <div className={statusCards}>
            {statuses.map((status) => (
              <div key={status} className={clsx(blank, 'h-15.5 sm:h-22.5')} />
            ))}
          </div>
          <div className={clsx(blank, 'h-62')} />
        </>
      )}
    </div>
  )
}
