import { StrictMode, type ComponentProps } from 'react'
import { App } from './app'

/** Hydration requires the same root element in the build and in the browser. */
export function Root(props: ComponentProps<typeof App>) {
  return (
    <StrictMode>
      <App {...props} />
    </StrictMode>
  )
}
