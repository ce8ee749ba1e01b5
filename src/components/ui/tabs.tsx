import { type KeyboardEvent, type ReactNode, useId } from 'react'

interface TabsProps<Value extends string> {
  /** Names the row of tabs. */
  label: string
  value: Value
  onValueChange: (value: Value) => void
  tabs: readonly { value: Value; label: string; content: ReactNode }[]
}

/**
 * Tabs by the ARIA Authoring Practices: one stop for Tab, and within the row the arrow keys, Home and End open what they get to.
 * Our own, because the library's weighs more than the settings do (docs/decisions/0019).
 */
export function Tabs<Value extends string>({ label, value, onValueChange, tabs }: TabsProps<Value>) {
  const id = useId()
  const tabId = (of: Value): string => `${id}-tab-${of}`
  const panelId = (of: Value): string => `${id}-panel-${of}`

  /** @param index of the tab that has the focus: which one is open may take a moment to follow */
  function onKeyDown(event: KeyboardEvent, index: number): void {
    // With those the browser goes back, for one.
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
    const places: Partial<Record<string, number>> = { ArrowLeft: index - 1, ArrowRight: index + 1, Home: 0, End: -1 }
    const place = places[event.key]
    const next = place === undefined ? undefined : tabs.at(place % tabs.length)
    if (!next) return
    event.preventDefault()
    document.getElementById(tabId(next.value))?.focus()
    onValueChange(next.value)
  }

  return (
    <>
      <div role="tablist" aria-label={label} className="flex flex-wrap border-b md:gap-x-2">
        {tabs.map((tab, index) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={tabId(tab.value)}
            aria-controls={panelId(tab.value)}
            aria-selected={tab.value === value}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onValueChange(tab.value)}
            onKeyDown={(event) => onKeyDown(event, index)}
            className="-mb-px h-9 border-b-2 border-transparent px-2 text-muted-foreground hover:text-foreground aria-selected:border-primary aria-selected:font-medium aria-selected:text-foreground pointer-coarse:h-11"
          >
            {tab.label}
          </button>
        ))}
      </div>
      {tabs.map((tab) => (
        // What was typed in one tab is still there after a look at another.
        <div
          key={tab.value}
          role="tabpanel"
          id={panelId(tab.value)}
          aria-labelledby={tabId(tab.value)}
          tabIndex={0}
          hidden={tab.value !== value}
          className="mt-6 max-w-lg rounded-md"
        >
          {tab.content}
        </div>
      ))}
    </>
  )
}
