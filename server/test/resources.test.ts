import { samples } from '../../tests/support/samples.ts'
import { testResource } from './test-resource.ts'

for (const sample of samples) testResource(sample)
