import type { UserPublic, UserUpdateMe } from '../contract/types.gen.ts'

type ProfileField = Exclude<keyof UserUpdateMe, 'email'>

/** For tests: two values of each field that people change in their own account, except the address. */
export const profileSample: Record<ProfileField, [unknown, unknown]> = {
  full_name: ['Quick name', 'Lazy name'],
}

/** The same fields in a new account. */
export const emptyProfile: Pick<UserPublic, ProfileField> = { full_name: null }
