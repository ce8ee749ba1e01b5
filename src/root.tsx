import { StrictMode, type ComponentProps } from 'react'
import { App } from './app'

/** The whole tree, the same in the build and in the browser: hydration needs that. */
export function Root(props: ComponentProps<typeof App>) {
  return (
    <StrictMode>
      <App {...props} />
    </StrictMode>
  )
}
