/** An account without its password's hash. Times are milliseconds since 1970. */
export type { User } from '../store/users.ts'
