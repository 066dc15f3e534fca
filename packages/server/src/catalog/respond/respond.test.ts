import { compileSchema } from '@millrace/engine'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

const faultsOf = compileSchema({ document: manifest.input })

test.each([null, 0, '', [], { a: 1 }])('the answer may be any JSON: %j', (body) => {
  expect(faultsOf({ body })).toEqual([])
})

test.each([{}, { body: 1, status: 200 }, 'text'])('without a body, or with more than one, there is no answer: %j', (input) => {
  expect(faultsOf(input)).not.toEqual([])
})
