import { itemSample } from './sample.ts'
import { testOwned } from '../test/test-owned.ts'

testOwned(itemSample)
