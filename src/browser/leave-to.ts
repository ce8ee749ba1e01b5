/** Leaves the application. Resolves only if the user comes back to the unchanged page. */
export function leaveTo(url: string): Promise<void> {
  location.assign(url)
  return new Promise((resolve) => window.addEventListener('pageshow', () => resolve(), { once: true }))
}
