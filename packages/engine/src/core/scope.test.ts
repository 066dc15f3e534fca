import { describe, expect, test } from 'vitest'
import { startedAtMs } from '#testing/simulate.ts'
import type { Json } from './json.ts'
import { createStrand, recordChoice, lookupLocal, type Steps, stepOutputs, type Strand, takeDecisions } from './scope.ts'
import { Work } from './work.ts'

function strand(): Strand {
  const execution = { id: 'e', definition: null, input: null, startedAtMs, runtime: {}, secrets: {}, nowMs: startedAtMs }
  return createStrand(execution, new Work())
}

function decided(choices: readonly number[]): Strand {
  const one = strand()
  for (const choice of choices) recordChoice(one, 's', choice)
  return one
}

describe('decisions', () => {
  test('few decisions are stored in readable form', () => {
    const one = strand()
    recordChoice(one, 'i', 1)
    recordChoice(one, 's', -1)
    recordChoice(one, 'w', 0)
    recordChoice(one, 'c', 2)
    expect(takeDecisions(one)).toBe('i1s-1w0c2')
  })

  test('each decision is taken once', () => {
    const one = decided([1, 2])
    takeDecisions(one)
    expect(takeDecisions(one)).toBe('')
  })

  test('many decisions are stored as their length and a digest', () => {
    expect(takeDecisions(decided(Array(128).fill(1)))).toBe('s1'.repeat(128))
    expect(takeDecisions(decided(Array(129).fill(1)))).toMatch(/^#258:[0-9a-f]+$/)
  })

  test.each([129, 2_000, 2_048, 2_049, 5_000, 20_000])('%i decisions that differ in one place have different digests', (count) => {
    const choices = Array.from({ length: count }, (_, index) => index % 3)
    const same = takeDecisions(decided(choices))
    expect(takeDecisions(decided(choices))).toBe(same)
    for (const place of [0, 1, Math.floor(count / 2), count - 1]) {
      const changed = choices.with(place, 9)
      expect(takeDecisions(decided(changed))).not.toBe(same)
    }
  })

  test('the memory for decisions is bounded', () => {
    const one = decided(Array.from({ length: 100_000 }, (_, index) => index % 2))
    expect(one.decisions.length).toBeLessThan(5_000)
    expect(takeDecisions(one)).toMatch(/^#200000:/)
    expect(takeDecisions(one)).toBe('')
  })
})

describe('variables that tasks bind', () => {
  const inner = { name: 'a', value: 'inner', outer: { name: 'b', value: null, outer: { name: 'a', value: 'outer', outer: undefined } } }

  test('the innermost variable of a name is found first', () => {
    expect(lookupLocal(inner, 'a')).toBe('inner')
    expect(lookupLocal(inner.outer, 'a')).toBe('outer')
  })

  test('a variable with the value null is found', () => {
    expect(lookupLocal(inner, 'b')).toBeNull()
    expect(lookupLocal(inner, 'c')).toBeUndefined()
    expect(lookupLocal(undefined, 'a')).toBeUndefined()
  })
})

describe('outputs of tasks that have run', () => {
  const outer: Steps = {
    outputs: new Map([
      ['a', 1],
      ['b', 2],
    ]),
    outer: undefined,
  }

  test('$steps contains the outputs of the list and of the lists around it', () => {
    expect(stepOutputs({ outputs: new Map([['c', 3]]), outer })).toEqual({ a: 1, b: 2, c: 3 })
  })

  test('$steps contains the innermost output of a name', () => {
    expect(stepOutputs({ outputs: new Map([['a', 9]]), outer })).toEqual({ a: 9, b: 2 })
  })

  test('$steps contains tasks whose names are special in JavaScript', () => {
    const outputs = stepOutputs({
      outputs: new Map<string, Json>([
        ['__proto__', { polluted: true }],
        ['constructor', 1],
      ]),
      outer: undefined,
    })
    expect(Object.keys(outputs)).toEqual(['__proto__', 'constructor'])
    expect(Object.getPrototypeOf(outputs)).toBe(Object.prototype)
  })

  test('$steps is empty before the first task', () => {
    expect(stepOutputs(undefined)).toEqual({})
  })
})
