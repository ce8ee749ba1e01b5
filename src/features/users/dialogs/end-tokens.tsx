import { LabelledCheckbox } from '@/components/ui/checkbox'

interface EndTokensProps {
  checked: boolean
  onCheck: (isChecked: boolean) => void
  disabled?: boolean
}

export function EndTokens({ onCheck, ...props }: EndTokensProps) {
  return (
    <LabelledCheckbox {...props} label="Also revoke API tokens" onChange={({ target }) => onCheck(target.checked)} />
  )
}
