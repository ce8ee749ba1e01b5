import { itemSample } from '../items/sample.ts'
import type { Sample } from './sample.ts'

/** The samples of all resources. */
export const samples: Sample[] = [itemSample]
