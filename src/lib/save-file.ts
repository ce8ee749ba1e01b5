/** Has the browser save a file that was read. */
export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser may not have begun to read it.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The name that a `Content-Disposition` header gives, if any. Other origins have to expose it. */
export function fileNameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
}
