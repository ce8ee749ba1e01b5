import type { Overview } from '@/client/types.gen'

export const hasItems = ({ items }: Overview): boolean => items.count > 0
