import { describe, expect, test } from 'vitest'
import { compute } from '#computing/compute.ts'
import type { Json } from '#core/json.ts'
import { definitionOf } from '#testing/run-definition.ts'
import { walkThrough } from './interruptible.ts'
import { type PageOptions, timelinePage } from './timeline.ts'

const startedAtMs = Date.parse('2030-01-01T00:00:00Z')

function pageOf(tasks: string, options: Partial<PageOptions> = {}, input: Json = {}) {
  const workflow = definitionOf(`do:\n${tasks}`)
  const source = { id: 'execution', input, startedAtMs, entries: [] }
  return walkThrough(timelinePage(workflow, source, { ended: true, from: 0, limit: 10, ...options }))
}

const named = ({ entries }: ReturnType<typeof pageOf>) => entries.map(({ entry: { name, state } }) => `${name} ${state}`)
const sets = (count: number, expression: string) =>
  Array.from({ length: count }, (_, index) => `  - t${index}: { set: { x: '\${ ${expression} }' } }\n`).join('')

describe('a page of a timeline', () => {
  test('a page has the requested number of entries and the index of the next page', () => {
    expect(named(pageOf(sets(5, '1'), { limit: 2 }))).toEqual(['t0 completed', 't1 completed'])
    expect(pageOf(sets(5, '1'), { limit: 2 }).next).toBe(2)
    expect(named(pageOf(sets(5, '1'), { limit: 2, from: 4 }))).toEqual(['t4 completed'])
    expect(pageOf(sets(5, '1'), { limit: 2, from: 4 }).next).toBeUndefined()
  })

  test('a page does not compute the tasks after it', () => {
    let looks = 0
    const turn = { fuel: -1, interruptMs: 4, isOver: () => (looks += 1) > 0, elapsed: () => 0, tryBegin: () => true }
    const workflow = definitionOf(`do:\n${sets(1_000, '1')}`)
    const walk = timelinePage(workflow, { id: 'e', input: {}, startedAtMs, entries: [] }, { ended: true, from: 0, limit: 3, turn })
    let step = walk.next()
    // Over at every look: the walk stands still before each task.
    while (step.done !== true) step = walk.next(step.value.kind === 'compute' ? compute(step.value.computation) : undefined)
    expect(named(step.value)).toEqual(['t0 completed', 't1 completed', 't2 completed'])
    expect(looks).toBeLessThan(50)
  })

  test('a page shows the end of a surrounding task that ends after the page', () => {
    const loop = `  - each: { for: { each: n, in: '\${ [range(20)] }' }, do: [{ one: { set: { n: '\${ $n }' } } }] }\n`
    expect(named(pageOf(loop, { limit: 2 }))).toEqual(['each completed', 'one completed'])
  })

  test('a page of one task has only the entries of that task', () => {
    const page = pageOf(sets(3, '1'), { task: '/do/1/t1', limit: 1 })
    expect(named(page)).toEqual(['t1 completed'])
    expect(page.next).toBeUndefined()
  })

  test('a page with large values is shorter, and never empty', () => {
    const large = sets(5, '"x" * 1000')
    expect(named(pageOf(large, { charactersMax: 3_500 }))).toEqual(['t0 completed', 't1 completed'])
    expect(pageOf(large, { charactersMax: 3_500 }).next).toBe(2)
    expect(named(pageOf(large, { charactersMax: 10, from: 2 }))).toEqual(['t2 completed'])
  })
})
