import * as Primitive from '@radix-ui/react-tabs'
import { type ReactNode, useEffect, useRef } from 'react'

interface TabsProps<Value extends string> {
  label: string
  value: Value
  onValueChange: (value: Value) => void
  tabs: readonly { value: Value; label: string; content: ReactNode }[]
}

/** Tabs whose panels stay mounted, so that typed text is kept. */
export function Tabs<Value extends string>({ label, value, onValueChange, tabs }: TabsProps<Value>) {
  // Radix calls this twice: for the click and for the focus that follows.
  const requested = useRef(value)
  useEffect(() => {
    requested.current = value
  }, [value])
  function request(next: string): void {
    if (next === requested.current) return
    requested.current = next as Value
    onValueChange(next as Value)
  }
  return (
    <Primitive.Root value={value} onValueChange={request}>
      <Primitive.List aria-label={label} className="flex flex-wrap border-b max-[23rem]:justify-between md:gap-x-2">
        {tabs.map((tab) => (
          <Primitive.Trigger
            key={tab.value}
            value={tab.value}
            className="-mb-px h-9 border-b-2 border-transparent px-2 text-muted-foreground hover:text-foreground aria-selected:border-primary aria-selected:font-medium aria-selected:text-foreground max-[23rem]:px-0.5 max-[23rem]:text-xs pointer-coarse:h-11"
          >
            {tab.label}
          </Primitive.Trigger>
        ))}
      </Primitive.List>
      {tabs.map((tab) => (
        <Primitive.Content
          key={tab.value}
          value={tab.value}
          forceMount
          hidden={tab.value !== value}
          className="mt-6 rounded-md"
        >
          {tab.content}
        </Primitive.Content>
      ))}
    </Primitive.Root>
  )
}
