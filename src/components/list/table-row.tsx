import { clsx } from 'clsx'
import { memo, type MouseEvent, type ReactNode } from 'react'
import type { Column } from './column'
import { Dash } from '../ui/missing'
import { type StickyOffset, stickyClass } from './sticky-columns'

interface TableRowProps<Row> {
  row: Row
  layout: RowLayout<Row>
  isGone: boolean
}

export type RowLayout<Row> = ReturnType<typeof rowLayout<Row>>

/** The maximum number of lines below the title of a card. */
const MAX_FACTS = 3

const cardClass =
  'cards:relative cards:grid cards:min-h-16 cards:grid-cols-[minmax(0,1fr)] cards:content-center cards:items-center cards:py-1 ' +
  'cards:@min-[15rem]:grid-cols-[minmax(0,1fr)_auto]'

/** Padding in the column of the boxes and in the next one. Touch screens have larger boxes. */
export const boxPadding = {
  own: 'columns:pl-2 columns:pointer-coarse:pl-1',
  next: 'columns:pl-2 columns:pointer-coarse:pl-5',
}

const atEnd = 'cards:@xs:min-w-auto cards:@xs:justify-self-end'

/** The places on a card. On a narrower one, only the first line is shared, and not with a long text. */
const areas = {
  box: 'cards:absolute cards:top-1/2 cards:left-1.5 cards:-translate-y-1/2 narrow:hidden narrow:in-data-selecting:block print:invisible',
  actions: 'cards:absolute cards:top-1/2 cards:right-1.5 cards:-translate-y-1/2 tiny:in-data-selecting:hidden',
  title: 'cards:-order-1 cards:@min-[15rem]:[grid-area:1/1]',
  'title-end':
    'cards:@min-[15rem]:min-w-auto cards:@min-[15rem]:justify-self-end cards:@min-[15rem]:pl-2 cards:@min-[15rem]:whitespace-nowrap cards:@min-[15rem]:[grid-area:1/2]',
  'title-end-long': `${atEnd} cards:@xs:pl-2 cards:@xs:[grid-area:1/2]`,
  second: 'cards:@xs:[grid-area:2/1] cards:@xs:has-[+td>[data-repeated]]:col-span-full',
  'second-end': `${atEnd} cards:@xs:max-w-[45cqw] cards:@xs:[grid-area:2/2]`,
  third: 'cards:@xs:[grid-area:3/1]',
  'third-end': `${atEnd} cards:@xs:[grid-area:3/2]`,
  // Only while the button in the title is expanded.
  details: 'cards:group-has-[[data-title]_[aria-expanded=false]]/row:hidden',
}

/** Shows the heading before a cell. It has no text for screen readers, which read that of the table. */
const namedClass =
  "cards:flex cards:items-baseline cards:gap-x-1 narrow:flex-wrap cards:[:where(&>*)]:min-w-0 cards:before:flex-none cards:before:content-[attr(data-label)_/_'']"

/** What all rows of a table have in common. */
export function rowLayout<Row>(columns: readonly Column<Row>[], stuck: readonly (StickyOffset | undefined)[] = []) {
  const hasBox = columns[0]?.role === 'box'
  const hasPicture = columns.some(({ picture }) => picture !== undefined)
  const isChoice = ({ kind, area, isExtra }: Column<Row>) => kind === 'choice' && area === undefined && !isExtra
  // The first choice follows the title of a card. Without choices, the column with the area `title-end` does.
  const badge = columns.find(isChoice) ?? columns.find(({ area }) => area === 'title-end')
  return {
    className: clsx(
      cardClass,
      'group/row break-inside-avoid bg-background has-checked:bg-selected has-[[data-title]_:is(a,button)]:cursor-pointer columns:not-has-checked:hover:bg-surface',
      columns.some(({ role }) => role === 'actions') ? 'cards:pr-14 tiny:in-data-selecting:pr-4' : 'cards:pr-4',
      hasPicture ? 'cards:pl-13 tiny:pl-4 tiny:in-data-selecting:pl-13' : 'cards:pl-4 cards:in-data-selecting:pl-14',
      hasBox && (hasPicture ? 'cards:roomy:pl-24' : 'cards:roomy:pl-14'),
    ),
    pictureClass: clsx(
      'cards:absolute cards:top-1/2 cards:left-3 cards:-translate-y-1/2 narrow:in-data-selecting:hidden tiny:hidden',
      hasBox && 'cards:roomy:left-13',
    ),
    cells: columns.map((column, index) => {
      const { role, chars, kind } = column
      const area = role ?? (column === badge ? 'title-end' : column.area)
      const place = stuck[index]
      const className = clsx(
        'wrap-anywhere columns:h-10 columns:py-1',
        role === 'box' ? boxPadding.own : 'columns:px-3',
        chars !== undefined && 'columns:whitespace-nowrap',
        kind === 'number' && 'columns:text-right',
        role === 'actions' && 'text-right print:hidden',
        role === undefined ? 'text-muted-foreground cards:text-xs/4' : role === 'title' && 'font-medium',
        role !== 'actions' && role !== 'box' && 'cards:col-span-full cards:min-w-0',
        area && areas[area],
        place && stickyClass(place),
        hasBox && index === 1 && boxPadding.next,
        area === 'title-end' && column !== badge && 'cards:hidden',
      )
      return { column, area, className, style: place && { left: place.left, right: place.right } }
    }),
  }
}

export const TableRow = memo(function TableRow<Row extends { id: string }>(props: TableRowProps<Row>) {
  const { row, layout, isGone } = props
  const cells = layout.cells.map((cell) => ({ ...cell, content: cell.column.cell(row) }))
  const withFact = cells.filter(({ area, content }) => area === undefined && !isEmpty(content))
  const facts = new Set(withFact.slice(0, MAX_FACTS))
  return (
    // oxlint-disable jsx-a11y/no-redundant-roles, jsx-a11y/no-interactive-element-to-noninteractive-role, jsx-a11y/click-events-have-key-events -- see DataTable; a key presses the name
    <tr
      role="row"
      data-row={row.id}
      aria-disabled={isGone || undefined}
      onClick={openRow}
      onAuxClick={openRow}
      className={clsx(layout.className, isGone && 'opacity-50')}
    >
      {cells.map((cell) => {
        const { column, area, className, style, content } = cell
        const { header, picture, role, isNamed = false } = column
        const isOnCard = area !== undefined || facts.has(cell)
        const hasName = (typeof isNamed === 'function' ? isNamed(row) : isNamed) && area !== 'title-end'
        return (
          <td
            key={role ?? header}
            role="cell"
            data-label={header}
            data-title={role === 'title' || undefined}
            data-area={area}
            data-named={hasName || undefined}
            style={style}
            className={clsx(className, hasName && isOnCard && namedClass, !isOnCard && 'cards:hidden')}
          >
            {picture ? (
              <div className="flex min-w-0 items-center gap-3">
                <span className={layout.pictureClass}>{picture(row)}</span>
                <div className="min-w-0">{content}</div>
              </div>
            ) : isEmpty(content) ? (
              <Dash />
            ) : (
              withElement(content)
            )}
          </td>
        )
      })}
    </tr>
    // oxlint-enable
  )
}) as <Row extends { id: string }>(props: TableRowProps<Row>) => ReactNode

/** A click on a row acts on the link or button in its title, unless text is selected. */
function openRow(event: MouseEvent<HTMLElement>): void {
  const { target, currentTarget, button } = event
  const pressed = target as Element
  // React also reports clicks in the row's menu, which is outside the row in the document.
  const isInRow = currentTarget.contains(pressed) && !pressed.closest('a, button, label, input, [role=tooltip]')
  if (!isInRow || getSelection()?.type === 'Range') return
  const name = currentTarget.querySelector<HTMLElement>('[data-title] :is(a, button)')
  const isForNewTab = button === 1 || (button === 0 && (event.ctrlKey || event.metaKey))
  if (isForNewTab && name instanceof HTMLAnchorElement) {
    window.open(name.href, '_blank', 'noopener')
    return
  }
  if (button !== 0) return
  // Going back returns the focus to this element.
  name?.focus({ preventScroll: true })
  name?.click()
}

const isEmpty = (content: ReactNode): boolean =>
  content === null || content === undefined || content === false || content === ''

/** Wraps text in an element, because page translation replaces bare text. */
const withElement = (content: ReactNode): ReactNode =>
  typeof content === 'string' || typeof content === 'number' ? <span>{content}</span> : content
