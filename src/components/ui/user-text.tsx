import { clsx } from 'clsx'

const looks = {
  inline: '',
  whole: 'inline-block max-w-full overflow-clip align-top [overflow-clip-margin:0.25em]',
  'one line': 'block truncate text-left',
  'two lines': 'line-clamp-2 text-left whitespace-pre-line',
  /** Of a table or card, in one line. On a phone, it has two. */
  cell: 'block max-w-full min-w-0 truncate text-left narrow:line-clamp-2 narrow:whitespace-pre-line',
}

interface UserTextProps {
  children: string
  /**
   * `inline` is for text within a sentence. Otherwise stacked marks are clipped, so that they do not cover other rows. Blocks begin
   * where the texts around them begin, in both directions.
   */
  show?: keyof typeof looks
  /** A tooltip, for text that may be cut. By default, the text of a cell. */
  title?: string
}

/** User input with an isolated text direction. */
export function UserText({ children, show = 'inline', title = show === 'cell' ? children : undefined }: UserTextProps) {
  return (
    <bdi title={title} className={clsx('wrap-anywhere', looks[show])}>
      {children}
    </bdi>
  )
}
