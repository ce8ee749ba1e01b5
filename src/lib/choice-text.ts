import { capitalize } from './capitalize.ts'

/** Such as `In Progress` for `in_progress`. */
export const choiceText = (value: string): string => value.split('_').map(capitalize).join(' ')
