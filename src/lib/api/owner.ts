import { usersReadUserByIdOptions } from '@/client/@tanstack/react-query.gen'

/** The account that a row belongs to; only superusers may read others. */
export const ownerOptions = (id: string) => usersReadUserByIdOptions({ path: { user_id: id } })
