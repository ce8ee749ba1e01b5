import { Download } from 'lucide-react'
import { Button } from '../ui/button'
import { type Export, useExport } from './use-export'

export function ExportButton(source: Export) {
  const { isPending, start } = useExport(source)
  const label = isPending ? 'Exporting…' : 'Export CSV'
  return (
    <Button variant="ghost" size="icon" aria-label={label} title={label} pending={isPending} onClick={start}>
      <Download aria-hidden />
    </Button>
  )
}
