import { describe, expect, test } from 'vitest'
import { fieldReads } from './field-reads.ts'

function reads(source: string): string[] {
  return fieldReads(source).map(({ variable, field, start, end }) => {
    expect(source.slice(start, end)).toBe(field)
    return `${variable}.${field}`
  })
}

describe('fields that are read of variables', () => {
  test.each([
    ['$steps.first', ['steps.first']],
    ['$steps.first.total', ['steps.first']],
    ['$steps["get-pet"].id', ['steps.get-pet']],
    ['$steps.["get pet"]', ['steps.get pet']],
    ['$steps."get-pet"', ['steps.get-pet']],
    ['$steps . first', ['steps.first']],
    ['$steps .first', ['steps.first']],
    ['[$secrets.a, $secrets.b]', ['secrets.a', 'secrets.b']],
    ['$steps.a + $input.b', ['steps.a', 'input.b']],
    ['"\\($steps.a) and \\($steps.b)"', ['steps.a', 'steps.b']],
    ['"\\(($steps.a))" + "$steps.c" + $steps.d', ['steps.a', 'steps.d']],
    ['"nested \\("inner \\($steps.a)" + $steps.b) $steps.no" | $steps.c', ['steps.a', 'steps.b', 'steps.c']],
    ['.a # $steps.comment\n| $steps.b', ['steps.b']],
    ['"# no comment" | $steps.a', ['steps.a']],
    ['"quote \\" $steps.no" | $steps.a', ['steps.a']],
    ['$steps | .first', []],
    ['$steps', []],
    ['$steps[0]', []],
    ['$steps[.name]', []],
    ['.steps.first', []],
    ['"$steps.first"', []],
    ['', []],
    ['"open \\(', []],
    ['"open', []],
    ['# comment to the end $steps.a', []],
  ])('%s reads %j', (source, expected) => {
    expect(reads(source)).toEqual(expected)
  })
})
