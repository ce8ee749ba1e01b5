import { itemSample } from '../items/sample.ts'
import type { Sample } from './sample.ts'

/** The samples of all resources, one line for each. */
export const samples: Sample[] = [itemSample]
