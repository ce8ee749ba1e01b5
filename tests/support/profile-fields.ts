/** Profile fields of an account, without email address and password. */
export const profileFields: readonly ProfileField[] = [
  { name: 'full_name', label: 'Full Name', text: 'Quick name', value: 'Quick name', empty: null, shown: 'Quick name' },
]

/** The profile in the request for a new account if nothing is filled in. */
export const emptyProfile = Object.fromEntries(profileFields.map(({ name, empty }) => [name, empty]))

interface ProfileField {
  name: string
  label: string
  /** The text to type; `true` ticks a checkbox. */
  text: string | true
  /** The value in the request body. */
  value: unknown
  /** The value in the request body if nothing is filled in. */
  empty: unknown
  /** The text in the list of users. */
  shown: string
}
