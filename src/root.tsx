import { StrictMode, type ComponentProps } from 'react'
import { App } from './app'

/** The root element, which must be the same in the build and in the browser for hydration. */
export function Root(props: ComponentProps<typeof App>) {
  return (
    <StrictMode>
      <App {...props} />
    </StrictMode>
  )
}
