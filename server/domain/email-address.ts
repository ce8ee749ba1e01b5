/**
 * The form in which addresses are compared. Done here and not by the database: SQLite's `lower()` knows ASCII only.
 * NFKC, so that one address typed on two keyboards is one address.
 */
export function emailKey(address: string): string {
  return address.trim().normalize('NFKC').toLowerCase()
}
