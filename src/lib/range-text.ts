const format = new Intl.NumberFormat('en')

/** Such as `51–100 of 5,012 users`, or `1 user`. */
export function rangeText(skip: number, rows: number, count: number, noun: string, plural?: string): string {
  const all = countText(count, noun, plural)
  return rows === 0 || count === 1 ? all : `${format.format(skip + 1)}–${format.format(skip + rows)} of ${all}`
}

export function countText(count: number, noun: string, plural = `${noun}s`): string {
  return `${format.format(count)} ${count === 1 ? noun : plural}`
}
