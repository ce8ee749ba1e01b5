import { expect, test } from 'vitest'
import contract from '../../openapi.json' with { type: 'json' }
import { samples } from '../../tests/support/samples.ts'
import { resources } from '../resources.ts'
import { testResource } from './test-resource.ts'

test('the resources of the contract are those of the server and of the client', () => {
  const paths = Object.keys(contract.paths)
  const plurals = paths.flatMap((path) => /^\/api\/v1\/(\w+)\/bulk$/.exec(path)?.[1] ?? [])
  const inContract = plurals.filter((plural) => plural !== 'users').toSorted()
  expect(resources.map(({ table }): string => table).toSorted()).toEqual(inContract)
  expect(samples.map(({ table }) => table).toSorted()).toEqual(inContract)
})

for (const sample of samples) testResource(sample)
