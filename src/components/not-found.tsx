import { useRouter } from '@tanstack/react-router'
import { Button } from './ui/button'

export function NotFound() {
  const { history, navigate } = useRouter()
  return (
    <div className="grid min-h-[60dvh] place-items-center p-6 text-center">
      <div>
        <p className="text-6xl font-bold text-muted-foreground">404</p>
        <h1 tabIndex={-1} className="mt-4 text-2xl font-semibold">
          Page not found
        </h1>
        <p className="mt-2 mb-6 text-balance text-muted-foreground">
          Sorry, we couldn't find the page you're looking for.
        </p>
        <Button
          onClick={() => {
            if (history.canGoBack() || hasEntryOfBrowser()) history.back()
            else void navigate({ to: '/' })
          }}
        >
          Go back
        </Button>
      </div>
    </div>
  )
}

export function NotFoundPage() {
  return (
    <main className="grid min-h-dvh items-center">
      <NotFound />
    </main>
  )
}

/** Whether the browser's history has an earlier page. `history.length` also counts later ones. */
function hasEntryOfBrowser(): boolean {
  const { navigation } = window as { navigation?: { canGoBack: boolean } }
  return navigation?.canGoBack ?? window.history.length > 1
}
