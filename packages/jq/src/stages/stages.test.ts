import { describe, expect, test } from 'vitest'
import { JqSyntaxError } from '#src/errors.ts'
import { compile } from '#src/program.ts'
import type { Json } from '#src/values/value.ts'
import { stages, type Stage, type StagesOptions } from './stages.ts'

const items: readonly Json[] = [
  { name: 'tea', price: 120 },
  { name: 'cup', price: 80 },
  { name: 'pot', price: 300 },
]
const order: Json = { items }

function found(source: string, input: Json = order, options?: StagesOptions): readonly Stage[] {
  return stages(source, input, { deadlineMs: Infinity, ...options })
}

/** Each stage as its code with its values. */
function rows(source: string, input: Json = order, options?: StagesOptions): readonly (readonly [string, ...Json[]])[] {
  return found(source, input, options).map(({ start, end, values }) => [
    source.slice(start, end),
    ...values.map(({ text }): Json => JSON.parse(text)),
  ])
}

describe('the stages of a program', () => {
  test('each pipe has the values after it, and the code between its pipes', () => {
    expect(rows('.items | map(.price | . * 2) | add')).toEqual([
      ['.items', items],
      ['.price', 120],
      ['. * 2', 240],
      ['map(.price | . * 2)', [240, 160, 600]],
      ['add', 1000],
    ])
  })

  test('a program without a pipe is one stage', () => {
    expect(rows(' .items | length ').at(-1)).toEqual(['length', 3])
    expect(rows('.items[0].name')).toEqual([['.items[0].name', 'tea']])
    expect(rows('if .items then .items[0].name else 0 end')).toEqual([['if .items then .items[0].name else 0 end', 'tea']])
  })

  test('pipes in parentheses are stages, and parentheses around a stage belong to its code', () => {
    expect(rows('(.a | .b) | (.c, .d) | ((. + 1) * 2)', { a: { b: { c: 1, d: 2 } } })).toEqual([
      ['.a', { b: { c: 1, d: 2 } }],
      ['.b', { c: 1, d: 2 }],
      ['(.c, .d)', 1, 2],
      ['((. + 1) * 2)', 4, 6],
    ])
    expect(rows('(.a | .b) + 1 | . * 2', { a: { b: 1 } })).toEqual([
      ['(.a | .b) + 1', 2],
      ['. * 2', 4],
    ])
  })

  test('the pipes inside an array are stages, and the array is the last of them', () => {
    expect(rows('[.items[] | select(.price > 100) | .name] | join(", ")')).toEqual([
      ['.items[]', ...items],
      ['select(.price > 100)', { name: 'tea', price: 120 }, { name: 'pot', price: 300 }],
      ['.name', 'tea', 'pot'],
      ['[.items[] | select(.price > 100) | .name]', ['tea', 'pot']],
      ['join(", ")', 'tea, pot'],
    ])
    expect(found('[.items[] | .price]').map(({ collects }) => collects)).toEqual([false, false, true])
  })

  test('a binding is a stage with the value that it binds, and its variable is known after it', () => {
    expect(rows('.a as $x | (.b | . + 1) as [$y] ?// $y | $x + $y', { a: 1, b: 2 })).toEqual([
      ['.a as $x', 1],
      ['(.b | . + 1) as [$y] ?// $y | $x + $y', 4],
    ])
    expect(rows('.a as {$p, q: [$r]} | [$p, $r] | add', { a: { p: 1, q: [2] } })).toEqual([
      ['.a as {$p, q: [$r]}', { p: 1, q: [2] }],
      ['[$p, $r]', [1, 2]],
      ['add', 3],
    ])
  })

  test('a definition is known in every stage and is not a stage itself', () => {
    expect(rows('def twice(f): f | . * 2; .a | twice(.) | def more: . + 1; more | tostring', { a: 3 })).toEqual([
      ['.a', 3],
      ['twice(.)', 6],
      ['more', 7],
      ['tostring', '7'],
    ])
  })

  test('reduce, foreach and a label are stages as a whole', () => {
    expect(rows('reduce (.items[] | .price) as $p (0; . + $p) | . / 100')).toEqual([
      ['reduce (.items[] | .price) as $p (0; . + $p)', 500 as Json],
      ['. / 100', 5],
    ])
    expect(rows('label $out | foreach .[] as $i (0; . + $i; if . > 2 then ., break $out else . end) | . * 10', [1, 2, 3])).toEqual([
      ['foreach .[] as $i (0; . + $i; if . > 2 then ., break $out else . end)', 1, 3],
      ['. * 10', 10, 30],
    ])
  })

  test('pipes in texts, comments and brackets do not end a stage', () => {
    expect(rows('"\\(.a | . + 1) | x" | {k: (. | length)} # | no\n | .k', { a: 1 })).toEqual([
      ['"\\(.a | . + 1) | x"', '2 | x'],
      ['.', '2 | x'],
      ['length', 5],
      ['{k: (. | length)}', { k: 5 }],
      ['.k', 5],
    ])
  })

  test('the last stage is the program itself', () => {
    for (const source of ['.items | map(.price) | add', '[.items[] | .name] | sort | .[0]', '.items[] | .price | select(. > 90)'])
      expect(rows(source).at(-1)?.slice(1)).toEqual(compile(source).run(order))
  })

  test('variables of the host and its clock are there', () => {
    expect(rows('$rate | . * 2 | . + now', null, { variables: { rate: 4 }, clock: () => 1_000 }).at(-1)).toEqual(['. + now', 9])
  })
})

describe('stages inside of a stage', () => {
  /** Where each stage is, its code and its first value. */
  const inside = (source: string, input: Json = order) =>
    found(source, input).map(({ start, end, inside: where, values }) => [where ?? '', source.slice(start, end), values[0]?.text])

  test('of map are those of the first element', () => {
    expect(inside('.items | map(select(.price > 100) | .name | length) | add')).toEqual([
      ['', '.items', JSON.stringify(items)],
      ['element', 'select(.price > 100)', '{"name":"tea","price":120}'],
      ['element', '.name', '"tea"'],
      ['element', 'length', '3'],
      ['', 'map(select(.price > 100) | .name | length)', '[3,3]'],
      ['', 'add', '6'],
    ])
    expect(inside('map(. | .a)', []).map(([, , value]) => value)).toEqual([undefined, undefined, '[]'])
  })

  test('of a condition have values in the branch that is taken alone', () => {
    expect(inside('if .a > 1 then .a | . * 2 elif .b then .b | -. else {if: 0} | .if end | . + 1', { a: 1, b: 5 })).toEqual([
      ['branch', '.a', undefined],
      ['branch', '. * 2', undefined],
      ['branch', '.b', '5'],
      ['branch', '-.', '-5'],
      ['branch', '{if: 0}', undefined],
      ['branch', '.if', undefined],
      ['branch', 'elif .b then .b | -. else {if: 0} | .if end', '-5'],
      ['', 'if .a > 1 then .a | . * 2 elif .b then .b | -. else {if: 0} | .if end', '-5'],
      ['', '. + 1', '-4'],
    ])
  })

  test('of a loop are those of its first round, and of an object those of its values', () => {
    expect(inside('reduce .[] as $x (10; . + $x | . * 2) | {a: (. | . + 1), b: 2}', [1, 2])).toEqual([
      ['element', '. + $x', '11'],
      ['element', '. * 2', '22'],
      ['', 'reduce .[] as $x (10; . + $x | . * 2)', '48'],
      ['value', '.', '48'],
      ['value', '. + 1', '49'],
      ['', '{a: (. | . + 1), b: 2}', '{"a":49,"b":2}'],
    ])
    expect(inside('[foreach .[] as $x (0; . + $x | . * 2; [., $x] | add)]', [3]).slice(0, 2)).toEqual([
      ['element', '. + $x', '3'],
      ['element', '. * 2', '6'],
    ])
  })

  test('have the error of the whole, and none for a definition that hides what they need', () => {
    const [first, second, whole] = found('map(.a | .b)', [{ a: 1 }])
    expect([first?.error, second?.error?.message, whole?.reached]).toEqual([undefined, 'Cannot index number with string ("b")', false])
    expect(inside('def map(f): 7; map(. | .)', [1])).toEqual([['', 'map(. | .)', '7']])
  })
})

describe('an error', () => {
  test('belongs to its stage: those before it have values, those after it are not reached', () => {
    const [first, second, third] = found('.a | .b | length', { a: 1 })
    expect(first).toMatchObject({ values: [{ text: '1', type: 'number', cut: false }], error: undefined, reached: true })
    expect(second).toMatchObject({
      values: [],
      error: { message: 'Cannot index number with string ("b")', limit: undefined },
      reached: true,
    })
    expect(third).toMatchObject({ values: [], error: undefined, reached: false })
  })

  test('belongs to the stage inside an array, and not to the array', () => {
    const all = found('[.[] | tonumber | . + 1] | add', ['1', 'x', '2'])
    expect(all.map(({ values, error, reached }) => [values.map(({ text }) => text).join(), error?.message, reached])).toEqual([
      ['"1","x","2"', undefined, true],
      ['1', 'string ("x") cannot be parsed as a number', true],
      ['2', undefined, true],
      ['', undefined, false],
      ['', undefined, false],
    ])
  })

  test('that the program catches is no error of a stage', () => {
    expect(rows('.a | (.b | .c)? // 7 | . + 1', { a: 1 }).map(([, value]) => value)).toEqual([1, 7, 8])
  })

  test('in the syntax is thrown, as compile throws it', () => {
    expect(() => found('.a |')).toThrow(JqSyntaxError)
    expect(() => found('.a | $none')).toThrow('$none is not defined')
  })
})

describe('the bounds', () => {
  test('values and their texts are cut, and outputs are counted', () => {
    const [only] = found('range(12) | tostring * 10', null, { valuesMax: 2, charactersMax: 6 }).slice(-1)
    expect(only).toMatchObject({ count: 12, counted: true, values: [{ cut: true }, { cut: true }] })
    expect(only?.values.every(({ text }) => text.length === 6)).toBe(true)
    expect(found('range(5000)', null)[0]).toMatchObject({ count: 1000, counted: false })
  })

  test('a runaway ends at its stage', () => {
    const [first, second, third] = found('1 | until(false; . + 1) | . + 1', null, { steps: 10_000, deadlineMs: Infinity })
    expect([first?.count, second?.error?.limit, third?.reached]).toEqual([1, 'steps', false])
  })

  test('time is bounded over all stages', () => {
    let ms = 0
    const all = found('. | . | .', null, { elapsed: () => (ms += 60), deadlineMs: 100 })
    expect(all.map(({ reached }) => reached)).toEqual([true, false, false])
  })

  test('of many stages the first and the last are returned', () => {
    expect(rows(Array(20).fill('. + 1').join(' | '), 0, { stagesMax: 3 }).map(([, value]) => value)).toEqual([1, 2, 20])
  })

  test('a very long program is one stage', () => {
    expect(found(Array(4_000).fill('.').join(' | '), 1)).toHaveLength(1)
  })
})
