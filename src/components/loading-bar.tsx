/** Most answers are faster, so the bar does not appear for them. */
export const LOADING_BAR_DELAY_MS = 300

/** A thin line at the top of the page. It is hidden from screen readers, for which the page has `aria-busy`. */
export function LoadingBar({ delayed = false }: { delayed?: boolean }) {
  return (
    <div aria-hidden className="pointer-events-none fixed inset-x-0 top-0 z-60 h-0.5 overflow-hidden">
      <div
        className="h-full w-1/4 animate-progress bg-primary"
        style={delayed ? { animationDelay: `${LOADING_BAR_DELAY_MS}ms`, animationFillMode: 'backwards' } : undefined}
      />
    </div>
  )
}
