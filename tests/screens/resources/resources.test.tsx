import { samples } from '../../support/samples'
import { testScreen } from '../../support/test-screen'

for (const { table } of samples) testScreen(table)
