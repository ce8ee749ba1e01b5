/** Replaces a missing value where SPEC 2 requires it. */
export function NotAvailable() {
  return <span className="text-muted-foreground">N/A</span>
}

export function Dash() {
  return <span className="text-muted-foreground">—</span>
}
