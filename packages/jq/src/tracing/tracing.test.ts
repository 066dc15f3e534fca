import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, type Json } from '#src/index.ts'
import { samples } from '#src/testing/generate-program.ts'
import { absent, constant, followed, memberOf, objectOf, type Traced, traceProgram, unknown, unsure } from './index.ts'

const names = ['x', 'y', 'z']

function trace(source: string, input: Traced = followed, as: 'value' | 'condition' = 'value') {
  const reads = new Map<string, boolean>()
  const value = traceProgram(source, {
    input,
    variables: new Map(names.map((name) => [name, unknown])),
    found: (path, sure) => void reads.set(path, sure || reads.get(path) === true),
    as,
    budget: { left: 10_000 },
  })
  return { reads, value }
}

/** The names that are looked up in a value while a program runs, as `a.b` and `a[].b`. */
function recorded(value: Json, path: string, lookups: Set<string>): Json {
  if (typeof value !== 'object' || value === null) return value
  const isList = Array.isArray(value)
  const inside = Object.fromEntries(
    Object.entries(value).map(([name, member]: [string, Json]) => [
      name,
      recorded(member, isList ? `${path}[]` : `${path}.${name}`, lookups),
    ]),
  )
  const copy: object = isList ? Object.values(inside) : inside
  const note = (name: string | symbol) => {
    if (typeof name === 'string') lookups.add(isList ? `${path}[]` : `${path}.${name}`)
  }
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- It behaves as the JSON value that it stands for.
  return new Proxy(copy, {
    get: (target, name, receiver) => (note(name), Reflect.get(target, name, receiver)),
    getOwnPropertyDescriptor: (target, name) => (note(name), Reflect.getOwnPropertyDescriptor(target, name)),
    ownKeys: (target) => (Reflect.ownKeys(target).forEach(note), Reflect.ownKeys(target)),
  }) as Json
}

/** Whether a run that looked these names up has read a path, as far as the input has it. */
function wasRead(input: Json, path: string, lookups: ReadonlySet<string>): boolean {
  let values: readonly Json[] = [input]
  let at = ''
  for (const [step] of `.${path}`.matchAll(/\.\w+|\[\]/g)) {
    const objects = values.filter((value) => typeof value === 'object' && value !== null)
    const fitting = objects.filter((value) => (step === '[]' ? Object.keys(value).length > 0 : !Array.isArray(value)))
    if (fitting.length === 0) return true
    // The members of an object are recorded by their names.
    if (step === '[]' && !fitting.every((value) => Array.isArray(value))) return true
    at += step
    if (step !== '[]' && !lookups.has(at)) return false
    values = fitting.flatMap((value): Json[] =>
      step === '[]' ? Object.values(value) : [Object.entries(value).find(([name]) => `.${name}` === step)?.[1] ?? null],
    )
  }
  return true
}

/** The names that a run looks up; undefined for a run that ends with an error or without an output. */
function lookupsOf(program: string, input: Json): ReadonlySet<string> | undefined {
  const lookups = new Set<string>()
  try {
    const compiled = compile(program, { variables: names, clock: () => 0 })
    return compiled.first(recorded(input, '', lookups), { x: 1, y: 'a', z: [1] }) === undefined ? undefined : lookups
  } catch {
    return undefined
  }
}

/** Inputs on which many programs end well. */
const rich: readonly Json[] = [
  { a: { a: 1, b: { a: 2 }, c: [1] }, b: [{ a: 1, b: 2 }, { a: 3 }], c: 'x', d: null },
  { a: [{ a: 1 }, { b: 2 }], b: { a: 'x', c: { d: 1 } }, c: 3, d: '1' },
  { a: 2, b: 3, c: [3, 1, 2], d: { a: [], b: '' } },
]

test('every run that ends well looks up what is surely read', () => {
  let checked = 0
  const property = fc.property(samples, ({ program, input }) =>
    [JSON.parse(input), ...rich].every((value: Json) => {
      const lookups = lookupsOf(program, value)
      if (lookups === undefined) return true
      const sure = [...trace(program).reads].filter(([path, isSure]) => isSure && !path.includes('"')).map(([path]) => path)
      checked += sure.length
      return sure.every((path) => wasRead(value, path, lookups))
    }),
  )
  const { counterexample, errorInstance } = fc.check(property, { numRuns: 1_500 })
  expect([counterexample, errorInstance]).toEqual([null, null])
  expect(checked).toBeGreaterThan(100)
})

test('no output has a member that is said to be absent', () => {
  const members = ['a', 'b', 'c', 'd']
  let checked = 0
  const property = fc.property(samples, ({ program, input }) => {
    const outputs = [JSON.parse(input), ...rich].flatMap((value: Json) => outputsOf(program, value))
    if (outputs.length === 0) return true
    const { value: traced } = trace(program, unknown)
    const lacking = members.filter((name) => memberOf(traced, name) === absent)
    checked += lacking.length
    return outputs.every((output) => !lacking.some((name) => isObject(output) && Object.hasOwn(output, name)))
  })
  const { counterexample, errorInstance } = fc.check(property, { numRuns: 1_500 })
  expect([counterexample, errorInstance]).toEqual([null, null])
  expect(checked).toBeGreaterThan(100)
})

const isObject = (value: Json): value is { readonly [name: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The first outputs of a run, until its error if it has one. */
function outputsOf(program: string, input: Json): readonly Json[] {
  const outputs: Json[] = []
  try {
    const take = (output: Json) => outputs.push(output) === 20
    compile(program, { variables: names, clock: () => 0 }).each(input, take, { x: 1, y: 'a', z: [1] })
  } catch {
    // An error ends the outputs.
  }
  return outputs
}

describe('where an output comes from', () => {
  const given = objectOf(
    new Map([
      ['body', unknown],
      ['kind', constant('order')],
    ]),
    true,
  )
  const places = ({ origins }: Traced) => origins.map(({ path, sure }) => (sure ? path : `${path}?`))

  test.each<readonly [source: string, paths: readonly string[]]>([
    ['.', ['']],
    ['.a.b', ['a.b']],
    ['.a[]', ['a[]']],
    ['.a[2:]', ['a?']],
    ['.a[0]', ['a[]']],
    ['.a[1]', ['a[]?']],
    ['{ x: .a } | .x.b', ['a.b']],
    ['.a as $v | $v.b', ['a.b']],
    ['.a, .b', ['a', 'b?']],
    ['.a // .b', ['a?', 'b?']],
    ['if .c then .a else .a end', ['a']],
    ['if .c then .a else .b end', ['a?', 'b?']],
    ['if .c then .a else 1 end', ['a?']],
    ['select(.c)', ['?']],
    ['first(.a[])', ['a[]?']],
    ['.a?', ['a?']],
    ['try .a', ['a?']],
    ['label $out | .a, break $out', ['a?']],
    ['. + { b: 1 } | .a', ['a']],
    ['. + { b: 1 } | .b', []],
    ['{ b: 1 } + . | .b', ['b?']],
    ['.b = .a | .b', ['a']],
    ['.b |= 1 | .b', []],
    ['.a | tostring', []],
    ['[.a]', []],
    ['$x', []],
    ['reduce .a[] as $i (.; .)', []],
  ])('of %s: %j', (source, paths) => {
    expect(places(trace(source).value)).toEqual(paths)
  })

  test('members of an object that is known as a whole are known not to be there', () => {
    const { value } = trace('{ id: .body.id, of: .kind, no: .other }', given)
    expect([memberOf(value, 'of').known, memberOf(value, 'id').known]).toEqual([{ value: 'order' }, undefined])
    expect(memberOf(value, 'no')).toBe(memberOf(value, 'nothing'))
    expect(memberOf(trace('if .body then { a: 1 } else { a: 2 } end', given).value, 'b')).toBe(memberOf(value, 'nothing'))
    expect(memberOf(trace('.body', given).value, 'id')).toEqual(unknown)
  })

  test('a condition takes an absent value for one that differs', () => {
    expect([...trace('.kind == "a" and .total > 1', followed, 'condition').reads]).toEqual([
      ['kind', false],
      ['total', false],
    ])
    expect([...trace('.total > 1', followed, 'condition').reads]).toEqual([['total', true]])
    expect([...trace('.kind == "a"').reads]).toEqual([['kind', true]])
  })

  test('a value that is used in some runs only is read in some runs only', () => {
    expect([...trace('.a.b', unsure(followed)).reads]).toEqual([['a.b', false]])
  })

  test('what exceeds the budget is unknown', () => {
    const found: string[] = []
    const options = { input: followed, variables: new Map(), found: (path: string) => void found.push(path), as: 'value' } as const
    const budget = { left: 2 }
    traceProgram('.a + .b', { ...options, budget })
    expect([found, traceProgram('.c', { ...options, budget })]).toEqual([[], unknown])
  })

  test('a program that is not valid is refused', () => {
    expect(() => trace('.a +')).toThrow(expect.objectContaining({ name: 'JqSyntaxError' }))
  })
})
