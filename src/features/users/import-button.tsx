import { Ellipsis, FileUp } from 'lucide-react'
import { Menu } from '@/components/menu/menu'
import { Button, buttonClass } from '@/components/ui/button'

/** Import CSV: a button; on phones, in a menu. */
export function ImportButton({ onPress }: { onPress: (opener: HTMLElement) => void }) {
  return (
    <>
      <Button variant="secondary" className="max-md:hidden" onClick={({ currentTarget }) => onPress(currentTarget)}>
        Import CSV
      </Button>
      <span className="md:hidden">
        <Menu
          aria-label="More actions"
          className={buttonClass('secondary', 'icon')}
          align="end"
          entries={[{ label: 'Import CSV', icon: FileUp, onSelect: onPress }]}
        >
          <Ellipsis aria-hidden />
        </Menu>
      </span>
    </>
  )
}
