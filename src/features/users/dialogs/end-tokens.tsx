import { LabelledCheckbox } from '@/components/ui/checkbox'

export function EndTokens(props: { checked: boolean; onCheck: (isChecked: boolean) => void; disabled?: boolean }) {
  const { onCheck, ...checkbox } = props
  return (
    <LabelledCheckbox {...checkbox} label="Also revoke API tokens" onChange={({ target }) => onCheck(target.checked)} />
  )
}
