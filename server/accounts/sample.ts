import contract from '../../openapi.json' with { type: 'json' }
import type { UserPublic, UserUpdateMe } from '../contract/types.gen.ts'

type ProfileField = Exclude<keyof UserUpdateMe, 'email'>

/** Two values of each field that people change in their own account, except the address, for tests. */
export const profileSample: Record<ProfileField, [unknown, unknown]> = {
  full_name: ['Quick name', 'Lazy name'],
}

const { properties } = contract.components.schemas.UserPublic

/** The same fields in a new account: null or false. */
export const emptyProfile = Object.fromEntries(
  Object.keys(profileSample).map((field) => [
    field,
    Array.isArray(properties[field as ProfileField].type) ? null : false,
  ]),
) as Pick<UserPublic, ProfileField>
