/** An account without its password hash. Times are milliseconds since 1970. */
export type { User } from '../store/users.ts'
