import type { Overview } from '@/client/types.gen'
import { Link, TextLink } from '@/components/link'
import { Panel, PanelRow, PanelSkeleton } from '@/components/panel'
import { buttonClass } from '@/components/ui/button'
import { UserText } from '@/components/ui/user-text'
import { countText } from '@/lib/text'
import { Step } from '../step'

export const hasItems = ({ items }: Overview): boolean => items.count > 0

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

export function RecentItems({ items: { count, recently_edited } }: Overview) {
  if (count === 0) return null
  return (
    <Panel
      title="Recently edited"
      link={
        <span className="flex items-center gap-4">
          <TextLink to="/items">{countText(count, 'item')}</TextLink>
          <Link to="/items" search={{ add: '' }} className={buttonClass('secondary')}>
            Add Item
          </Link>
        </span>
      }
    >
      {recently_edited?.map(({ item, at }) => (
        <PanelRow
          key={item.id}
          link={{ to: '/items', search: { edit: item.id } }}
          title={<UserText show="one line">{item.title}</UserText>}
          text={item.description && <UserText show="one line">{item.description}</UserText>}
          time={at}
        />
      ))}
    </Panel>
  )
}

export const RecentItemsSkeleton = PanelSkeleton
