import type { ReactNode } from 'react'
import { type Capability, useCapabilities } from '@/data/api/capabilities'

export function Needs({ capability, children }: { capability: Capability | undefined; children: ReactNode }) {
  const capabilities = useCapabilities()
  return (capability === undefined || capabilities.has(capability)) && children
}
