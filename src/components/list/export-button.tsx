import { Download } from 'lucide-react'
import { Button } from '../ui/button'
import { type Export, useExport } from './use-export'

interface ExportButtonProps extends Export {
  /** Only an icon, in a toolbar. */
  isCompact?: boolean
}

export function ExportButton({ isCompact = false, ...source }: ExportButtonProps) {
  const { isPending, start } = useExport(source)
  const label = isPending ? 'Exporting…' : 'Export CSV'
  return isCompact ? (
    <Button variant="ghost" size="icon" aria-label={label} title={label} pending={isPending} onClick={start}>
      <Download aria-hidden />
    </Button>
  ) : (
    // Wide enough for both labels, so that nothing moves.
    <Button variant="secondary" className="min-w-35" pending={isPending} pendingLabel={label} onClick={start}>
      <Download aria-hidden />
      {label}
    </Button>
  )
}
