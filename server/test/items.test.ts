import { itemSample } from './items-sample.ts'
import { testOwned } from './test-owned.ts'

testOwned(itemSample)
