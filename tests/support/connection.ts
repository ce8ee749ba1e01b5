import { onTestFinished } from 'vitest'

export function stubConnection(connection: object): void {
  Object.defineProperty(navigator, 'connection', { value: connection, configurable: true })
  onTestFinished(() => void Reflect.deleteProperty(navigator, 'connection'))
}
