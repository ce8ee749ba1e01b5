import { type ComponentProps, startTransition, useState } from 'react'
import { interaction } from '../lazy/interaction'
import { useLazy } from '../lazy/lazy'
import type { MenuContent, RadixMenuProps } from './radix-menu'

type MenuProps = MenuContent &
  Pick<ComponentProps<'button'>, 'aria-label' | 'title' | 'disabled' | 'className' | 'children'>

/**
 * A button with a menu. Radix's menu, whose code is large, replaces it on the first press. A table has fifty of them.
 */
export function Menu({ entries, top, side, align, menuClassName, onOpen, ...button }: MenuProps) {
  const [openedBy, setOpenedBy] = useState<'pointer' | 'key' | null>(null)
  const [isReady, setReady] = useState(false)
  const cancel = () => setOpenedBy(null)
  // In a transition, so that the button reacts before the menu renders.
  const open = (by: 'pointer' | 'key') => startTransition(() => setOpenedBy(by))
  return (
    <>
      {!isReady && (
        <button
          {...button}
          type="button"
          aria-haspopup="menu"
          aria-expanded={false}
          aria-busy={openedBy !== null || undefined}
          data-state="closed"
          // `detail` is 0 for clicks by keyboard.
          onClick={({ detail }) => open(detail === 0 ? 'key' : 'pointer')}
          onBlur={cancel}
          onKeyDown={({ key }) => {
            if (key === 'ArrowDown') open('key')
            if (key === 'Escape') cancel()
          }}
        />
      )}
      {openedBy && (
        <OpenedMenu
          {...{ entries, top, side, align, menuClassName, onOpen, button, openedBy }}
          onReady={() => setReady(true)}
          onFailure={cancel}
        />
      )}
    </>
  )
}

function OpenedMenu({ onFailure, ...menu }: RadixMenuProps & { onFailure: () => void }) {
  const code = useLazy(interaction, true, onFailure)
  return code && <code.RadixMenu {...menu} />
}
