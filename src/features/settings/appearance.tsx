import { useTheme } from 'next-themes'
import { themes } from '@/components/themes'
import { Radio } from '@/components/ui/checkbox'
import { TwoColumnSection } from '@/components/section'

export function Appearance() {
  const { theme = 'system', setTheme } = useTheme()
  return (
    <TwoColumnSection title="Appearance" text="Choose how the application looks. System follows your device.">
      <fieldset className="grid max-w-2xl gap-2 sm:grid-cols-3">
        <legend className="sr-only">Theme preference</legend>
        {themes.map(({ value, label, icon: Icon }) => (
          <label
            key={value}
            className="flex min-h-11 items-center gap-2 rounded-md border border-input px-3 has-checked:border-primary has-checked:bg-muted has-checked:font-medium has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-ring"
          >
            <Radio
              name="theme"
              value={value}
              checked={theme === value}
              onChange={() => setTheme(value)}
              className="outline-none"
            />
            <Icon aria-hidden className="size-4 text-muted-foreground" />
            {label}
          </label>
        ))}
      </fieldset>
    </TwoColumnSection>
  )
}
