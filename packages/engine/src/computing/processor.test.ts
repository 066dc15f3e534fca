import { afterAll, describe, expect, test } from 'vitest'
import type { ExpressionComputation } from '#core/computation.ts'
import { isArray } from '#core/json.ts'
import { compute } from './compute.ts'
import { createProcessor } from './create-processor.ts'

const processor = createProcessor()
afterAll(() => processor.close())

const expression = (source: string, more: Partial<ExpressionComputation> = {}): ExpressionComputation => {
  return { kind: 'expression', source, locals: [], variables: [], dot: null, nowMs: 0, ...more }
}

describe('a computation in another thread', () => {
  test.each([
    ['an expression', expression('[range(5)] | add')],
    [
      'one that reads variables',
      expression('$context.n + $item', {
        locals: ['item'],
        variables: [
          ['context', { n: 1 }],
          ['item', 2],
        ],
      }),
    ],
    ['one that tells the time of the execution', expression('now', { nowMs: 86_400_000 })],
    ['a template', expression('', { kind: 'template', source: '{"a":["${ .n }",1],"__proto__":"${ .n + 1 }"}', dot: { n: 1 } })],
    ['one that fails', expression('error("no")')],
    ['one that uses too much', expression('last(repeat(1))')],
    ['a schema', { kind: 'schema', source: '{"type":"object","required":["a"]}', value: {} } as const],
  ])('gives what it gives here: %s', async (_what, computation) => {
    const here = compute(computation)
    expect(here.steps).toBeGreaterThanOrEqual(0)
    expect(await processor.compute('account', computation)).toEqual(here)
  })

  test('that is larger than its thread ends by an outcome that the journal keeps, and the next one has a thread', async () => {
    const huge = expression('[range(400000) | [range(12) | tostring]] | length')
    const ends = await Promise.all(Array.from({ length: 3 }, () => processor.compute('account', huge)))
    for (const end of ends) expect(end.ok || end.isJournalled === true || end.error.detail?.includes('more than')).toBe(true)
    expect(await processor.compute('account', expression('1'))).toMatchObject({ ok: true, value: 1 })
  })

  test('that would take along more values than a thread holds fails, and the journal keeps that', async () => {
    const dot = Array.from({ length: 1_000_001 }, () => 0)
    expect(await processor.compute('account', expression('length', { dot }))).toMatchObject({ ok: false, isJournalled: true })
  })

  test('ends when nobody waits for it any more', async () => {
    const abort = new AbortController()
    const endless = processor.compute('account', expression('[range(1000000)] | sort_by(-.) | length'), abort.signal)
    abort.abort(new Error('over'))
    await expect(endless).rejects.toThrow('over')
  })

  test('leaves this thread to others', async () => {
    let turns = 0
    const ticking = setInterval(() => (turns += 1), 5)
    const { ok } = await processor.compute('account', expression('[range(700000)] | map(tostring) | join(",") | length'))
    clearInterval(ticking)
    expect(ok).toBe(true)
    expect(turns).toBeGreaterThan(5)
  })
})

test('a result of very many values is refused wherever it is computed', () => {
  const outcome = compute(expression('[range(600000)]'))
  expect(outcome).toMatchObject({ ok: false, error: { detail: expect.stringContaining('more than 500000 values') } })
  const smaller = compute(expression('[range(100000)]'))
  expect(smaller.ok && isArray(smaller.value) ? smaller.value.length : smaller).toBe(100_000)
})
