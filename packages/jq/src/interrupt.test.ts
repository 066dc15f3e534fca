import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compile, JqError, JqInterrupted, JqLimitError, JqSyntaxError, type Json, type Program } from './index.ts'
import { samples } from './testing/generate-program.ts'

/** A clock that advances by so many milliseconds each time it is read. */
function ticking(ms: number): () => number {
  let now = 0
  return () => (now += ms)
}

const endless = [
  'repeat(1)',
  'try repeat(1) catch "caught"',
  '(repeat(1))?',
  'repeat(1) // 2',
  'label $out | repeat(1)',
  'first(range(1e18) | select(. < 0))',
  '[.[]?, range(1e18)]',
  'def f: try f catch "caught"; [limit(1e9; repeat(1))] | f',
  '. as [$a] ?// $a | repeat($a)',
  'reduce range(1e18) as $x (0; . + 1)',
]

describe('a run with interruptMs', () => {
  test.each(endless)('%s is interrupted, and cannot catch it', (program) => {
    expect(() => compile(program, { elapsed: ticking(1) }).each(null, () => false, {}, { interruptMs: 4 })).toThrow(JqInterrupted)
  })

  test('is interrupted by the host clock unless another is given', () => {
    const program = compile('last(range(1e18))', { limits: { steps: Number.POSITIVE_INFINITY, deadlineMs: Number.POSITIVE_INFINITY } })
    expect(() => program.first(null, undefined, { interruptMs: 1 })).toThrow(JqInterrupted)
    expect(() => program.run(null, undefined, { interruptMs: 1 })).toThrow(JqInterrupted)
  })

  test('throws an Error of its own kind, without a stack', () => {
    const thrown: unknown[] = []
    try {
      compile('repeat(1)', { elapsed: ticking(10) }).run(null, {}, { interruptMs: 4 })
    } catch (error) {
      thrown.push(error)
    }
    expect(thrown).toEqual([expect.objectContaining({ name: 'JqInterrupted', message: 'The program was interrupted after 4 ms' })])
    expect(thrown[0]).toBeInstanceOf(Error)
    expect(thrown[0]).not.toBeInstanceOf(JqLimitError)
    expect(thrown[0]).not.toBeInstanceOf(JqError)
    expect(String(thrown[0] instanceof Error && thrown[0].stack)).not.toMatch(/\n *at /)
    expect(new Error('after').stack).toContain('at ')
  })

  test('that takes less time gives what it gives without', () => {
    const program = compile('[range(1e5)] | length', { elapsed: ticking(0.001) })
    expect(program.first(null, {}, { interruptMs: 1_000 })).toBe(100_000)
  })

  test('a later run knows nothing of it', () => {
    const program = compile('reduce range(1e5) as $x ({}; .["k\\($x % 10)"] += $x) | [.[]] | add', { elapsed: ticking(1) })
    const undisturbed = program.first(null)
    const steps = program.steps()
    expect(() => program.first(null, {}, { interruptMs: 3 })).toThrow(JqInterrupted)
    expect(program.steps()).toBeLessThan(steps)
    expect(program.first(null)).toBe(undisturbed)
    expect(program.steps()).toBe(steps)
  })

  test('a short run never looks at the clock', () => {
    let looks = 0
    const program = compile('[.[] | . * 2]', { elapsed: () => ++looks })
    program.first([1, 2, 3], {}, { interruptMs: 4 })
    expect(looks).toBe(0)
  })

  test('the deadline comes first where both have passed', () => {
    const program = compile('repeat(1)', { elapsed: ticking(100), limits: { deadlineMs: 50 } })
    expect(() => program.run(null, {}, { interruptMs: 4 })).toThrow(expect.objectContaining({ limit: 'deadline' }))
  })
})

test('without a deadline the clock is never looked at', () => {
  let looks = 0
  const program = compile('last(range(1e5))', { elapsed: () => ++looks, limits: { deadlineMs: Number.POSITIVE_INFINITY } })
  expect(program.first(null)).toBe(99_999)
  expect(looks).toBe(0)
})

/** The steps of a run, whatever its outcome. */
function stepsOf(program: Program, input: Json): number {
  try {
    program.run(input)
  } catch (error) {
    if (!(error instanceof JqError) && !(error instanceof JqLimitError)) throw error
  }
  return program.steps()
}

function compiles(source: string): boolean {
  try {
    compile(source)
    return true
  } catch (error) {
    if (error instanceof JqSyntaxError) return false
    throw error
  }
}

const unclocked = { limits: { deadlineMs: Number.POSITIVE_INFINITY, steps: 50_000 } }

describe('the steps of a run', () => {
  test('are counted from nothing', () => {
    const program = compile('range(10)')
    expect(program.steps()).toBe(0)
    program.run(null)
    const ten = program.steps()
    expect(ten).toBeGreaterThanOrEqual(10)
    expect(ten).toBeLessThan(50)
  })

  test('are more than the limit where it ended the run', () => {
    expect(stepsOf(compile('repeat(1)', unclocked), null)).toBe(50_001)
  })

  test('are counted up to an error', () => {
    expect(stepsOf(compile('range(1000) | if . > 500 then error else . end'), null)).toBeGreaterThan(500)
  })

  test('are the same however often and wherever a program runs', () => {
    const text = `${'é'.repeat(5_000)}abc`
    const run = (program: Program, input: Json): number => stepsOf(program, input)
    const property = fc.property(samples, fc.constantFrom<Json>(null, 1, text, [3, 1, 2], { a: 'b' }), ({ program, input }, other) => {
      fc.pre(compiles(program))
      const used = compile(program, unclocked)
      const parsed: Json = JSON.parse(input)
      run(used, other)
      const again = run(used, parsed)
      return run(used, parsed) === again && run(compile(program, unclocked), parsed) === again
    })
    expect(fc.check(property, { numRuns: 2_000, seed: 18 }).counterexample).toBeNull()
  })

  test.each([
    ['patterns compiled before', '[match("a(b|c){20}"; "g")] | length'],
    ['many patterns', '[range(300) | tostring as $p | "x" | test($p)] | length'],
    ['long texts measured before', '[.[0:10], .[1:20], length]'],
    ['forms compiled late', '[path(..)], [..], (try error("x") catch .)'],
  ])('do not depend on %s', (_name, source) => {
    const text = 'é'.repeat(10_000)
    const program = compile(source, unclocked)
    const steps = stepsOf(program, text)
    expect(stepsOf(program, text)).toBe(steps)
    // Other programs that the host runs while it receives an output make no difference.
    program.each(text, () => {
      compile('[.[0:10], length]').run(text)
      return false
    })
    expect(program.steps()).toBe(steps)
  })
})
