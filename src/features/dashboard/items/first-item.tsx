import type { Overview } from '@/client/types.gen'
import { Step } from '../step'
import { hasItems } from './has-items'

export function FirstItem(overview: Overview) {
  return (
    <Step
      title="Add your first item"
      text="A title, and a description if you like."
      link={{ to: '/items', search: { add: '' } }}
      isDone={hasItems(overview)}
    />
  )
}
