import { afterAll, describe, expect, test } from 'vitest'
import type { ExpressionComputation } from '#core/computation.ts'
import { isArray, type Json } from '#core/json.ts'
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
    ['one that reads the clock of the execution', expression('now', { nowMs: 86_400_000 })],
    ['a template', expression('', { kind: 'template', source: '{"a":["${ .n }",1],"__proto__":"${ .n + 1 }"}', dot: { n: 1 } })],
    ['one whose output is in a list', expression('null, 1', { inList: true })],
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

  test.each([
    ['values', () => Array.from({ length: 600_001 }, () => 0)],
    ['members of one object', () => Object.fromEntries(Array.from({ length: 150_000 }, (_, index) => [`key${index}`, 0]))],
    ['characters', () => 'x'.repeat(40_000_000)],
  ])('that reads too many %s fails, and the journal keeps that', async (_what, make) => {
    const dot = make()
    const end = await processor.compute('account', expression('length', { dot }))
    expect(end).toMatchObject({
      ok: false,
      isJournalled: true,
      error: { detail: expect.stringContaining('reads more than 600000 values') },
    })
  })

  test.each<[string, () => Json]>([
    ['numbers', () => Array.from({ length: 500_000 }, (_, index) => index)],
    ['records', () => Array.from({ length: 80_000 }, (_, id) => ({ id, name: `name ${id}`, isNew: true }))],
  ])('may read hundreds of thousands of %s', async (_what, make) => {
    expect(await processor.compute('account', expression('length', { dot: make() }))).toMatchObject({ ok: true })
  })

  test('a computation ends when its signal aborts', async () => {
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
