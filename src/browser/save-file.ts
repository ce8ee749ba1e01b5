export function saveFile(content: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(content)
  link.download = name
  link.click()
  // The browser may still need the URL.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}

/** The file name in the `Content-Disposition` header. Other origins must expose the header. */
export function fileNameOf(response: Response): string | undefined {
  return /filename="([^"]+)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1]
}
