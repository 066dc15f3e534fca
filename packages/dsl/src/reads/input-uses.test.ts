import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { applyChanges } from '#src/edit/apply-changes.ts'
import { editText } from '#src/edit/edit-text.ts'
import { inputUses } from './input-uses.ts'

const head = `document: { dsl: 1.0.3, namespace: a, name: b, version: 1.0.0 }
input: { schema: { document: { type: object, properties: { from: { type: string }, to: { type: string } } } } }
`

/** A definition after its member `from` was renamed, and where it may be read as well. */
function renamed(tasks: string, name = 'first') {
  const text = `${head}do:\n${tasks}`
  const { certain, possible } = inputUses(parse(text), 'from', name)
  const result = editText(text, 'yaml', { kind: 'renameMember', pointer: '/input/schema/document/properties/from', name, uses: certain })
  if ('fault' in result) throw new Error(result.fault.message)
  return { tasks: applyChanges(text, result.changes).split('do:\n')[1], possible }
}

const set = (expression: string) => `  - one: { set: { value: '\${ ${expression} }' } }\n`

describe('a member of the input that is renamed', () => {
  test.each([
    ['.from', '.first'],
    ['"\\(.from) \\(.to)" # .from', '"\\(.first) \\(.to)" # .from'],
    ['.["from"] + ."from"', '.["first"] + ."first"'],
    ['{ from, a: .from, "from": 1 }', '{ from: .first, a: .first, "from": 1 }'],
    ['$workflow.input.from + $input.from + $context.from', '$workflow.input.first + $input.first + $context.first'],
    ['.from? // "from"', '.first? // "from"'],
    ['if .from then .from.from else empty end', 'if .first then .first.from else empty end'],
    ['(. + { at: now }).from', '(. + { at: now }).first'],
    ['. as $all | [.items[] | .from, $all.from]', '. as $all | [.items[] | .from, $all.first]'],
    ['.items | map(.from)', '.items | map(.from)'],
    ['{ from: 1 } | .from', '{ from: 1 } | .from'],
  ])('is renamed where %s reads it', (before, after) => {
    expect(renamed(set(before))).toEqual({ tasks: set(after), possible: [] })
  })

  test.each([
    ['.from |= 1', '.from |= 1'],
    ['has("from")', 'has("from")'],
    ['. as { from: $x } | $x', '. as { from: $x } | $x'],
    ['(. + { from: 1 }).from', '(. + { from: 1 }).from'],
    ['(if .to then . else { from: 1 } end).from', '(if .to then . else { from: 1 } end).from'],
    ['reduce .items[] as $i ({}; .from + .)', 'reduce .items[] as $i ({}; .from + .)'],
  ])('stays, and is named, where %s may read it', (before, after) => {
    expect(renamed(set(before))).toEqual({ tasks: set(after), possible: ['/do/0/one/set/value'] })
  })

  test('is renamed in every kind of place, and not where an earlier step made the data', () => {
    const tasks = (first: string) => `  - ask:
      if: .${first} != ""
      call: http
      with: { method: get, endpoint: 'https://example.com/{${first}}/{to}' }
      input: { from: '\${ { ${first === 'from' ? 'from' : `from: .${first}`}, to } }' }
  - note: { set: { text: 'Dear {from}, \${ .from }' } }
  - after: { set: { a: '\${ .from }', b: '\${ $workflow.input.${first} }' } }
  - last:
      set:
        c: >-
          \${ .from
          + $workflow.input.${first} }
`
    const found = renamed(tasks('from'))
    expect(found.tasks).toBe(tasks('first').replace('example.com/{first}', 'example.com/{from}'))
    expect(found.possible).toEqual([])
  })

  test('of a name that is no word gets quotes, and back', () => {
    expect(renamed(set('.from + { from }.from'), 'the first').tasks).toBe(set('."the first" + { from: ."the first" }.from'))
  })
})
