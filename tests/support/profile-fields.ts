/** The fields of accounts that people and superusers fill in, except the address and the password. */
export const profileFields: readonly ProfileField[] = [
  { name: 'full_name', label: 'Full Name', text: 'Quick name', value: 'Quick name', empty: null, shown: 'Quick name' },
]

/** The same fields in the body for a new account if nothing is filled in. */
export const emptyProfile = Object.fromEntries(profileFields.map(({ name, empty }) => [name, empty]))

interface ProfileField {
  name: string
  label: string
  /** To type; `true` ticks a checkbox. */
  text: string | true
  /** In the body of the request. */
  value: unknown
  /** The value where nothing is filled in. */
  empty: unknown
  /** In the list of users. */
  shown: string
}
