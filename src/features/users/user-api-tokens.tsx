import { useQuery } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import type { ApiTokenPublic } from '@/client/types.gen'
import { ApiTokenList } from '@/components/api-token-list'
import { Link } from '@/components/link'
import { QueryBoundary } from '@/components/query-boundary'
import { Button } from '@/components/ui/button'
import { textLink } from '@/components/ui/classes'
import { useDialog } from '@/components/use-dialog'
import { apiTokensOf } from '@/data/api/api-tokens'
import { EndUserToken } from './lazy-dialogs'
import { type PartProps, Section } from './user-section'
import { userTokenDialogs } from './users-search'

const route = getRouteApi('/_layout/users_/$userId')

type UserApiTokensProps = Pick<PartProps, 'user' | 'isSelf'>

/** The API tokens of a user; nothing where there are none. */
export function UserApiTokens(props: UserApiTokensProps) {
  const query = useQuery(apiTokensOf(props.user.id))
  return (
    <QueryBoundary query={query} absent={null}>
      {({ data }) => <Tokens {...props} tokens={data} />}
    </QueryBoundary>
  )
}

function Tokens({ tokens, user, isSelf }: UserApiTokensProps & { tokens: ApiTokenPublic[] }) {
  const { dialog, opening, open, control } = useDialog(userTokenDialogs, route.useSearch())
  const ownPage = (
    <Link to="/security" className={textLink}>
      Your tokens
    </Link>
  )
  return (
    <>
      {tokens.length > 0 && (
        <Section title="API tokens" action={isSelf && ownPage}>
          <ApiTokenList
            tokens={tokens}
            action={({ id, name }) =>
              !isSelf && (
                <Button
                  variant="secondary"
                  aria-label={`End ${name}`}
                  onClick={({ currentTarget }) => open({ kind: 'delete_token', id }, currentTarget)}
                >
                  End
                </Button>
              )
            }
          />
        </Section>
      )}
      {dialog && !isSelf && (
        <EndUserToken
          key={opening}
          onFailure={control.onClose}
          control={control}
          user={user}
          id={dialog.id}
          entries={tokens}
        />
      )}
    </>
  )
}
