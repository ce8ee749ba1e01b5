import { itemScreen } from '../support/items.ts'
import { testJourney } from '../support/journey.ts'

testJourney(itemScreen)
