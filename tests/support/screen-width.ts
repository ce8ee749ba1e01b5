const WIDE = 1280

/** Simulates the screen width, which jsdom lacks. */
class ScreenWidth {
  private width = WIDE
  private readonly lists = new Set<MediaQueryList>()

  set(width: number): void {
    this.width = width
    for (const list of this.lists) list.dispatchEvent(new Event('change'))
  }

  reset(): void {
    this.width = WIDE
    this.lists.clear()
  }

  /** Only `max-width` queries can match. */
  readonly matchMedia = (query: string): MediaQueryList => {
    const limit = /max-width: ([\d.]+)px/.exec(query)?.[1]
    const matches = (): boolean => limit !== undefined && this.width <= Number(limit)
    const list: MediaQueryList = Object.assign(new EventTarget(), {
      media: query,
      matches: matches(),
      onchange: null,
      addListener: () => undefined,
      removeListener: () => undefined,
    })
    Object.defineProperty(list, 'matches', { get: matches })
    this.lists.add(list)
    return list
  }
}

export const screenWidth = new ScreenWidth()
window.matchMedia = screenWidth.matchMedia
