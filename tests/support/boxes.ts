import type { Locator } from '@playwright/test'

export const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }

export const middle = ({ y, height }: { y: number; height: number }) => y + height / 2
export const end = ({ x, width }: { x: number; width: number }) => x + width
