import { testResource } from '../test/test-resource.ts'
import { itemSample } from './sample.ts'

testResource(itemSample)
