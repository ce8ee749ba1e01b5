import { useQuery } from '@tanstack/react-query'
import { Copy } from 'lucide-react'
import type { ReactNode } from 'react'
import type { UserPublic } from '@/client/types.gen'
import { TextLink } from '@/components/link'
import { LinkedCount } from '@/components/linked-rows'
import { Needs } from '@/components/needs'
import { OpenButton } from '@/components/buttons'
import { PageHeader } from '@/components/page-header'
import { RowPage } from '@/components/row-page'
import { DescriptionItem, Facts } from '@/components/section'
import { TimeAgo } from '@/components/time'
import { IconMenu } from '@/components/menu'
import { Avatar } from '@/components/ui/avatar'
import { deletion, entriesOf } from '@/components/list/list-actions'
import type { OpenDialog } from '@/components/page-dialogs'
import { IconButton } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { useOffered } from '@/data/api/capabilities'
import { useCurrentUser } from '@/data/api/current-user'
import { copyText } from '@/browser/copy-text'
import { countRows, type ListedResource, resources } from '@/data/resources'
import { EmailCell, LastActiveCell, NotDelivered, RoleCell, StatusCell } from './user-cells'
import { UserDialogs } from './lazy-dialogs'
import { actionsFor } from './user-actions'
import { type UserDialog, userDialogs, usersList } from './users-list'

interface UserPageProps {
  userId: string
  children: (user: UserPublic, open: OpenDialog<UserDialog>) => ReactNode
}

export function UserPage({ userId, children }: UserPageProps) {
  return (
    <RowPage list={usersList} id={userId} dialogs={userDialogs} show={(shown) => <UserDialogs {...shown} />}>
      {(user, open) => (
        <>
          <User user={user} open={open} />
          <Needs capability="administration">{children(user, open)}</Needs>
        </>
      )}
    </RowPage>
  )
}

function User({ user, open }: { user: UserPublic; open: OpenDialog<UserDialog> }) {
  const { id, full_name, email, created_at, email_confirmed_at } = user
  const isSelf = useCurrentUser().id === id
  return (
    <>
      <div data-head className="flex flex-wrap items-start justify-between gap-x-4 gap-y-3">
        <div className="flex min-w-0 flex-1 basis-80 gap-x-3">
          <Avatar user={user} size="large" />
          <div className="min-w-0 flex-1">
            <PageHeader title={<UserText show="two lines">{full_name || email}</UserText>} />
            <div className="flex flex-wrap items-center gap-x-3">
              <span className="flex max-w-full min-w-0 items-center gap-x-1 wrap-anywhere">
                {full_name && <EmailCell user={user} />}
                <IconButton label="Copy Address" onClick={() => void copyText(email, 'The address was copied.')}>
                  <Copy aria-hidden />
                </IconButton>
              </span>
              <span className="flex min-h-8 items-center gap-x-3">
                <RoleCell user={user} />
                <StatusCell user={user} />
                {!user.is_invited && <NotDelivered user={user} />}
              </span>
            </div>
          </div>
        </div>
        <div className="print:hidden">
          {isSelf ? <TextLink to="/settings">Your settings</TextLink> : <Actions user={user} open={open} />}
        </div>
      </div>
      <div className="mt-4">
        <Facts>
          <DescriptionItem name="Created">{created_at ? <TimeAgo time={created_at} /> : null}</DescriptionItem>
          {email_confirmed_at !== undefined && (
            <DescriptionItem name="Address" isNameHidden>
              {email_confirmed_at === null ? (
                <span>Not confirmed</span>
              ) : (
                <span>
                  <span>Confirmed </span>
                  <TimeAgo time={email_confirmed_at} />
                </span>
              )}
            </DescriptionItem>
          )}
          <Needs capability="activity">
            <DescriptionItem name="Last Active" isNameHidden={user.last_active_at === null}>
              <LastActiveCell user={user} />
            </DescriptionItem>
          </Needs>
          <Needs capability="administration">
            {resources.map((resource) => (
              <DescriptionItem key={resource.tag} name={resource.title} isNameHidden>
                <ResourceCount resource={resource} ownerId={id} />
              </DescriptionItem>
            ))}
          </Needs>
        </Facts>
      </div>
    </>
  )
}

function Actions({ user, open }: { user: UserPublic; open: OpenDialog<UserDialog> }) {
  const { id } = user
  const [first, ...more] = useOffered(actionsFor(user))
  return (
    <div className="flex flex-wrap gap-2">
      <OpenButton open={open} dialog={{ kind: 'edit', id }} className="max-sm:px-3">
        Edit
      </OpenButton>
      {first && (
        <OpenButton open={open} dialog={{ kind: first.kind, id }} className="max-sm:px-3">
          {first.label}
        </OpenButton>
      )}
      <IconMenu
        label="More actions"
        variant="secondary"
        entries={entriesOf([...more, deletion], open as unknown as OpenDialog, id)}
      />
    </div>
  )
}

function ResourceCount({ resource, ownerId }: { resource: ListedResource; ownerId: string }) {
  const { data: count, isError } = useQuery(countRows(resource, ownerId))
  if (count === undefined && isError) return <span className="text-muted-foreground">Could not be read</span>
  return count !== undefined && <LinkedCount resource={resource} field="owner_id" count={count} id={ownerId} />
}
