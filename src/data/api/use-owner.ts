import { useQuery } from '@tanstack/react-query'
import { usersReadUserByIdOptions } from '@/client/@tanstack/react-query.gen'
import { useCurrentUser } from './current-user'

/** The email address of an account, for superusers; `undefined` while it loads. */
export function useOwnerEmail(id: string | undefined): string | undefined {
  const { is_superuser } = useCurrentUser()
  const enabled = is_superuser && id !== undefined
  return useQuery({ ...usersReadUserByIdOptions({ path: { user_id: id ?? '' } }), enabled }).data?.email
}
