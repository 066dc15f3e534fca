import { expect, test } from 'vitest'
import { variablesNamed } from './variables-named.ts'

test('the variables that a definition names are found with the place of their first use', () => {
  const { names, any } = variablesNamed({
    do: [
      { one: { set: { x: '${ $variables.shop + $variables["api-url"] }' } } },
      { two: { if: '$variables.shop == "a"', set: { y: 'the $variables of text' } } },
    ],
  })
  expect([...names]).toEqual([
    ['shop', '/do/0/one/set/x'],
    ['api-url', '/do/0/one/set/x'],
  ])
  expect(any).toBe(true)
})

test.each(['${ $variables[.name] }', '${ $variables | keys }'])('%s may read any variable', (source) => {
  expect(variablesNamed({ set: source })).toEqual({ names: new Map(), any: true })
})

test('a definition without variables reads none', () => {
  expect(variablesNamed({ do: [{ a: { set: { x: '${ .variables.a }' } } }] })).toEqual({ names: new Map(), any: false })
})
