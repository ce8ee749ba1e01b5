/** Replaces a missing value where SPEC 2 says so. */
export function NotAvailable() {
  return <span className="text-muted-foreground">N/A</span>
}

/** Replaces any other missing value. */
export function Dash() {
  return <span className="text-muted-foreground">—</span>
}
