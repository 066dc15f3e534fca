import { compile, type Json } from '@millrace/jq'
import { describe, expect, test } from 'vitest'
import { importWorkflow } from '#src/import/index.ts'
import { exportOf, node } from '#src/testing/n8n-export.ts'

/** The condition of an If behind a webhook, as the definition has it. */
function conditionIn(parameters: object, version = 2.2): string {
  const source = exportOf([node('Hook', 'webhook'), node('If', 'if', parameters, { typeVersion: version })], [['Hook', 0, 'If']])
  const { definition } = importWorkflow(source)
  const text = String(Object(definition).do[1].if.switch[0].true.when)
  return text.slice('${ '.length, -' }'.length)
}

function modern(type: string, operation: string, rightValue: unknown, options: object = { typeValidation: 'strict', caseSensitive: true }) {
  const one = { leftValue: '={{ $json.x }}', rightValue, operator: { type, operation } }
  return { conditions: { options, combinator: 'and', conditions: [one] } }
}

const loose = { typeValidation: 'loose', caseSensitive: true }
const anyCase = { typeValidation: 'strict', caseSensitive: false }

describe('with strict types', () => {
  test.each<readonly [type: string, operation: string, right: unknown, jq: string, meets: readonly Json[], fails: readonly Json[]]>([
    ['number', 'gt', 5, '.x > 5', [6], [5, null]],
    ['number', 'gte', '5', '.x >= 5', [5], [4, null]],
    ['number', 'lt', 5, '.x != null and .x < 5', [4], [5, null]],
    ['number', 'equals', 5, '.x == 5', [5], [6, null]],
    ['number', 'notEquals', 5, '.x != 5', [6, null], [5]],
    ['string', 'equals', 'de', '.x == "de"', ['de'], ['DE', null]],
    ['string', 'equals', '', '(.x // "") == ""', ['', null], ['a']],
    ['string', 'contains', 'ab', '(.x // "" | contains("ab"))', ['cabd'], ['ba', null]],
    ['string', 'notContains', 'ab', '(.x // "" | contains("ab") | not)', ['ba', null], ['cabd']],
    ['string', 'startsWith', 'ab', '(.x // "" | startswith("ab"))', ['abc'], ['cab', null]],
    ['string', 'endsWith', 'ab', '(.x // "" | endswith("ab"))', ['cab'], ['abc', null]],
    ['string', 'regex', '/^a+$/i', '(.x // "" | test("^a+$"; "i"))', ['aA'], ['ab', null]],
    ['string', 'notRegex', '^a', '(.x // "" | test("^a") | not)', ['b', null], ['ab']],
    ['string', 'empty', '', '(.x // "") == ""', ['', null], ['a']],
    ['string', 'notEmpty', '', '(.x // "") != ""', ['a'], ['', null]],
    ['string', 'exists', '', '.x != null', ['', 0], [null]],
    ['boolean', 'true', '', '.x == true', [true], [false, null]],
    ['boolean', 'false', '', '(.x | not)', [false, null], [true]],
    ['array', 'contains', 'a', '(.x // [] | any(.[]; . == "a"))', [['a', 'b']], [['b'], null]],
    ['array', 'lengthGt', 1, '(.x // [] | length) > 1', [[1, 2]], [[1], null]],
    ['array', 'empty', '', '(.x // []) == []', [[], null], [[1]]],
    ['object', 'notEmpty', '', '(.x // {}) != {}', [{ a: 1 }], [{}, null]],
  ])('%s %s %j is %s', (type, operation, right, jq, meets, fails) => {
    const written = conditionIn(modern(type, operation, right))
    expect(written).toBe(jq)
    const condition = compile(written)
    expect([meets, fails].map((values) => values.map((x) => condition.first({ x })))).toEqual([
      meets.map(() => true),
      fails.map(() => false),
    ])
  })
})

test.each<readonly [parameters: object, version: number, meets: readonly Json[], fails: readonly Json[]]>([
  [modern('number', 'gt', 5, loose), 2.2, [6, '6'], ['5', null, 'x']],
  [modern('number', 'lt', 5, loose), 2.2, [4, '4'], ['5', null, 'x']],
  [modern('number', 'equals', 5, loose), 2.2, [5, '5'], [6, null]],
  [modern('string', 'equals', 'de', loose), 2.2, ['de'], [null, 5]],
  [modern('string', 'equals', '5', loose), 2.2, ['5', 5], [null, 6]],
  [modern('string', 'contains', '5', loose), 2.2, [152, '152'], [null, 2]],
  [modern('boolean', 'true', '', loose), 2.2, [true, 'true', 1, '1'], [false, 'false', 0, '0', '', null]],
  [modern('string', 'equals', 'DE', anyCase), 2.2, ['de', 'DE'], ['fr', null]],
  [modern('string', 'contains', 'Ab', anyCase), 2.2, ['xaB'], ['x', null]],
  [{ ...modern('number', 'gt', 5), looseTypeValidation: true }, 2.2, ['6'], ['5']],
  [{ conditions: { number: [{ value1: '={{ $json.x }}', operation: 'larger', value2: 5 }] } }, 1, [6, '6'], [5, null]],
  [{ conditions: { number: [{ value1: '={{ $json.x }}', value2: 5 }] } }, 1, [4, '4', null], [5, 'x']],
  [{ conditions: { string: [{ value1: '={{ $json.x }}', value2: 'de' }] } }, 1, ['de'], ['fr', null]],
])('other types and cases are compared as in n8n: %j', (parameters, version, meets, fails) => {
  const condition = compile(conditionIn(parameters, version))
  expect([meets, fails].map((values) => values.map((x) => condition.first({ x })))).toEqual([meets.map(() => true), fails.map(() => false)])
})

test('conditions are combined without needless parentheses, and values of two members are compared', () => {
  const condition = (left: string, type: string, operation: string, rightValue: unknown) => ({
    leftValue: `={{ $json.${left} }}`,
    rightValue,
    operator: { type, operation },
  })
  const all = (combinator: string, ...conditions: object[]) => ({
    conditions: { options: { typeValidation: 'strict', caseSensitive: true }, combinator, conditions },
  })
  const [large, german] = [condition('total', 'number', 'gt', 5), condition('country', 'string', 'equals', 'de')]
  expect(conditionIn(all('and', large, german))).toBe('.total > 5 and .country == "de"')
  expect(conditionIn(all('or', large, condition('total', 'number', 'lt', 1)))).toBe('.total > 5 or (.total != null and .total < 1)')
  expect(conditionIn(all('and', condition('a', 'number', 'gt', '={{ $json.b }}')))).toBe('.b != null and .a > .b')
  expect(conditionIn(all('and', condition('customer.country', 'string', 'equals', 'de')))).toBe(
    '(try .customer.country catch null) == "de"',
  )
})

test('an operation that is not known is false and reported', () => {
  const source = exportOf([node('Hook', 'webhook'), node('If', 'if', modern('string', 'soundsLike', 'a'))], [['Hook', 0, 'If']])
  const { definition, report } = importWorkflow(source)
  expect(Object(definition).do[1].if.switch[0].true.when).toBe('${ false }')
  expect(report.findings).toContainEqual(expect.objectContaining({ outcome: 'adapted', reason: expect.stringContaining('soundsLike') }))
})
