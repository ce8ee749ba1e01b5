import { Eye, EyeOff } from 'lucide-react'
import { type ComponentProps, useState } from 'react'
import { Input } from './input'
import { Tooltip } from './tooltip'

interface PasswordInputProps extends ComponentProps<'input'> {
  id: string
  autoComplete: 'current-password' | 'new-password'
}

export function PasswordInput(props: PasswordInputProps) {
  const [shown, setShown] = useState(false)
  const Icon = shown ? EyeOff : Eye
  const label = shown ? 'Hide password' : 'Show password'
  return (
    <div className="relative">
      <Input {...props} type={shown ? 'text' : 'password'} autoCapitalize="none" spellCheck={false} className="pr-11" />
      <Tooltip label={label} className="absolute inset-y-0 right-0">
        <button
          type="button"
          aria-label={label}
          aria-controls={props.id}
          className="grid h-full w-11 place-items-center focus-visible:-outline-offset-2 rounded-r-md text-muted-foreground hover:text-foreground"
          // The field keeps the focus, so that a phone keeps its keyboard open.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => setShown(!shown)}
        >
          <Icon aria-hidden className="size-4" />
        </button>
      </Tooltip>
    </div>
  )
}
