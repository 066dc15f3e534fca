import { expect, test } from 'vitest'
import { inputNames } from './input-names.ts'

test('the members of the input that a definition names are those that its first tasks read, and those of $workflow.input', () => {
  const definition = {
    do: [
      { route: { switch: [{ big: { when: '.total > 1000', then: 'price' } }] } },
      { price: { set: { sum: '${ .lines | map(.quantity * .price) | add }', text: 'a .text' }, output: { as: '${ .sum }' } } },
      { note: { set: { by: '${ .sum + ($workflow.input.customer | length) + $workflow.input["order-id"] }' } } },
    ],
  }
  expect(inputNames(definition)).toEqual(['total', 'lines', 'customer', 'order-id'])
})

test('of an input that is transformed, the transformation reads the members', () => {
  expect(inputNames({ input: { from: '${ { a: .first } }' }, do: [{ one: { set: { x: '${ .a }' } } }] })).toEqual(['first'])
})
