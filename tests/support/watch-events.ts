/** @public */
export interface Hint {
  resource: string
  id: string
  /** Null if the row was deleted. */
  version: string | null
}

/** Reads `GET /events` of a server until the stream ends or `leave` is called. */
export async function watchEvents(url: string, token: string) {
  const left = new AbortController()
  const response = await fetch(`${url}/api/v1/events`, {
    headers: { authorization: `Bearer ${token}` },
    signal: left.signal,
  })
  const hints: Hint[] = []
  const stream = {
    response,
    hints,
    text: '',
    hasEnded: false,
    error: undefined as unknown,
    leave: () => left.abort(),
  }
  async function read(): Promise<void> {
    let rest = ''
    for await (const chunk of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
      stream.text += chunk
      const events = (rest + chunk).split('\n\n')
      rest = events.pop() ?? ''
      for (const event of events) {
        const data = /^event: change\ndata: (.*)$/.exec(event)?.[1]
        if (data !== undefined) hints.push(JSON.parse(data) as Hint)
      }
    }
  }
  read()
    .catch((error: unknown) => (stream.error = error))
    .finally(() => (stream.hasEnded = true))
  return stream
}
