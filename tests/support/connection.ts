import { onTestFinished } from 'vitest'

/** Sets `navigator.connection` until the end of the test. */
export function stubConnection(connection: object): void {
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
}
