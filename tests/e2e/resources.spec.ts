import { testJourney } from '../support/journey.ts'
import { samples } from '../support/samples.ts'

for (const { table } of samples) testJourney(table)
