import { testOwned } from '../test/test-owned.ts'
import { itemSample } from './sample.ts'

testOwned(itemSample)
