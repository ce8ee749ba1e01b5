import { onTestFinished } from 'vitest'

/** What the browser says of its connection, until the test has finished. */
export function stubConnection(connection: object): void {
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
}
