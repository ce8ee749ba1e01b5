import { Button } from '@/components/ui/button'

export function StartAgain({ onRestart }: { onRestart: () => void }) {
  return (
    <Button variant="ghost" className="mt-2 w-full" onClick={() => onRestart()}>
      Start again
    </Button>
  )
}
