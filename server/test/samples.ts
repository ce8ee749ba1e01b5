import { itemSample } from '../items/sample.ts'
import type { Sample } from './test-resource.ts'

/** The samples of all resources, one line for each. */
export const samples: Sample[] = [itemSample]
