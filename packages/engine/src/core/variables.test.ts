import { expect, test } from 'vitest'
import { fails, gives, walk } from '#testing/walk.ts'

const reads = `
  input: { from: '\${ { region: $variables.region } }' }
  do:
    - look: { set: { region: '\${ .region }', again: '\${ $variables.region }' } }`

test('variables are requested once, before anything reads them, by the names of the definition', () => {
  const { output, calls } = walk(reads, { call: () => gives({ region: 'eu' }) })
  expect(output).toEqual({ region: 'eu', again: 'eu' })
  expect(calls).toMatchObject([{ position: '/variables', function: 'variables', arguments: { names: ['region'], all: false } }])
})

test('a definition without variables requests none', () => {
  expect(walk(`do: [{ a: { set: { x: 1 } } }]`).calls).toEqual([])
})

test('an error of the request faults the execution', () => {
  const walked = walk(reads, { call: () => fails('configuration') })
  expect([walked.state, walked.error?.type]).toEqual(['faulted', expect.stringContaining('configuration')])
})

test('what is no object counts as no variables', () => {
  expect(walk(`do: [{ a: { set: { x: '\${ $variables.x }' } } }]`, { call: () => gives(null) }).output).toEqual({ x: null })
})
