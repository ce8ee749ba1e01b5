/** Before it appears: most answers are faster. */
export const LOADING_BAR_DELAY_MS = 300

/** A thin line at the top. Screen readers use the `aria-busy` of the page. @param delayed delays it by CSS */
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
