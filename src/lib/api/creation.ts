/** One thing to be created, however often its form is sent. Plain data: a draft keeps it. */
export interface Creation<Body> {
  /** Tells the API that the tries belong together. */
  key: string
  /** What the tries said. */
  sent: Body[]
}

/** For each form that is opened. */
export function newCreation<Body>(): Creation<Body> {
  return { key: newKey(), sent: [] }
}

/** What is sent from now on is another thing. */
export function startAnew(creation: Creation<unknown>): void {
  creation.key = newKey()
  creation.sent = []
}

/** 128 bits; `randomUUID` is there on secure origins alone. */
function newKey(): string {
  return crypto.getRandomValues(new Uint32Array(4)).join('-')
}
