import { itemSample } from './items-sample.ts'
import type { Sample } from './test-owned.ts'

/** For the tests of all operations: one line for each resource. */
export const samples: Sample[] = [itemSample]
