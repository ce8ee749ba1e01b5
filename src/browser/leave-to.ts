/** Leaves the application. Resolves only if the person comes back to the page as it was. */
export function leaveTo(url: string): Promise<void> {
  location.assign(url)
  return new Promise((resolve) => window.addEventListener('pageshow', () => resolve(), { once: true }))
}
