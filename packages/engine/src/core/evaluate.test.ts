import { describe, expect, test } from 'vitest'
import { type Evaluated, evaluate, type Evaluator, mapped, settled } from './evaluate.ts'
import type { Json } from './json.ts'
import { InterruptedSignal, type Turn, Work } from './work.ts'

/** A turn whose clock advances by one millisecond with every reading. */
function turnOf({ fuel = 0, interruptMs = 0, over = false } = {}): Turn {
  let elapsedMs = 0
  return { fuel, interruptMs, isOver: () => over, elapsed: () => ++elapsedMs, tryBegin: () => true }
}

/** Evaluates `[one, other]` in two metered steps. */
const pair: Evaluator<Json, Json, Json> = {
  attempt(one, other, work) {
    const meter = work.meter()
    meter.spend(1)
    meter.spend(1)
    return [one, other]
  },
  isInterruption: (error) => error instanceof InterruptedSignal,
  computation: (one, other) => ({ kind: 'schema', source: JSON.stringify(one), value: other }),
  finish: (result, one, other, steps) => [result, one, other, steps],
}

const count = (value: Evaluated<Json>) => mapped(value, (json) => (Array.isArray(json) ? json.length : 0))

describe('an evaluation', () => {
  test('an evaluation within its turn returns its value at once', () => {
    expect(count(evaluate(pair, 'a', 'b', new Work(turnOf({ interruptMs: 1_000 }))))).toBe(2)
    expect(count(evaluate(pair, 'a', 'b', new Work()))).toBe(2)
  })

  test('an evaluation whose turn is over waits for the next turn, and its mapping is applied then', () => {
    const walk = settled(count(evaluate(pair, 'a', 'b', new Work(turnOf({ fuel: -1, interruptMs: 1_000, over: true })))))
    expect(walk.next()).toEqual({ done: false, value: { kind: 'turn' } })
    expect(walk.next()).toEqual({ done: true, value: 2 })
  })

  test('an interrupted evaluation becomes a computation whose steps count once, as a whole', () => {
    const work = new Work(turnOf())
    const walk = settled(count(evaluate(pair, 'a', 'b', work)))
    expect(work.spent).toBe(0)
    expect(walk.next().value).toEqual({ kind: 'compute', evaluation: 1, computation: { kind: 'schema', source: '"a"', value: 'b' } })
    expect(walk.next({ ok: true, value: 'c', steps: 7 })).toEqual({ done: true, value: 4 })
    expect(work.spent).toBe(7)
  })

  test('an evaluation whose computation fails raises the error of the computation', () => {
    const walk = settled(evaluate(pair, 'a', 'b', new Work(turnOf())))
    walk.next()
    const error = { type: 'https://test/runtime', status: 500, title: 'Too large' }
    expect(() => walk.next({ ok: false, error, steps: 1 })).toThrow('Too large')
  })

  test('an evaluation accepts only the outcome of its computation as reply', () => {
    const walk = settled(evaluate(pair, 'a', 'b', new Work(turnOf())))
    walk.next()
    expect(() => walk.next({ ok: true, value: null })).toThrow(/./)
  })

  test('an evaluation that throws an error other than an interruption raises it', () => {
    const failing: Evaluator<Json, Json, Json> = {
      ...pair,
      attempt() {
        throw new Error('broken')
      },
    }
    expect(() => evaluate(failing, 'a', 'b', new Work(turnOf()))).toThrow('broken')
  })

  test('an evaluation with a journalled failure raises it without an attempt', () => {
    const failure = { type: 'https://test/runtime', status: 500, title: 'Took too long' }
    expect(() => evaluate(pair, 'a', 'b', new Work(undefined, new Map([[1, failure]])))).toThrow('Took too long')
  })
})
