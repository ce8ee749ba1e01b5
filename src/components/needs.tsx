import type { ReactNode } from 'react'
import { type Capability, useCapabilities } from '@/data/api/capabilities'

interface NeedsProps {
  capability: Capability | undefined
  children: ReactNode
}

export function Needs({ capability, children }: NeedsProps) {
  const capabilities = useCapabilities()
  return (capability === undefined || capabilities.has(capability)) && children
}
