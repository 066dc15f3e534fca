import { describe, expect, test } from 'vitest'
import { type EventSet, type Passed, planSet } from './plan-set.ts'

const filter = { with: { type: 'a' } }
const all = { all: [filter, filter] }
const pass = (name: string, values = {}, expected = {}): Passed => ({ name, values, expected })
const set = (passed: readonly string[], correlated = {}): EventSet => ({ passed, correlated })

describe('the set that takes an event', () => {
  test('is a new one without an open set', () => {
    expect(planSet(all, [pass('event 0', { order: 1 })], [])).toEqual({
      set: undefined,
      next: set(['event 0'], { order: 1 }),
      consumes: true,
      ends: false,
    })
  })

  test('is the oldest one that lacks it and has the same correlated values', () => {
    const sets = [set(['event 1'], { order: 2 }), set(['event 0'], { order: 1 }), set(['event 1'], { order: 1 }), set(['event 1'])]
    const plan = planSet(all, [pass('event 0', { order: 1 })], sets)
    expect(plan).toMatchObject({ set: sets[2], consumes: true, ends: true })
  })

  test.each([
    ['passes no filter', [], []],
    ['has another value than the definition expects', [pass('event 0', { order: 1 }, { order: 2 })], []],
    ['ends a set where none is open', [pass('until 0')], []],
  ])('does not exist for an event that %s', (_case, passed, sets) => {
    expect(planSet({ any: [filter], until: { one: filter } }, passed, sets)).toBeUndefined()
  })

  test('takes an event once for all filters that it passes', () => {
    expect(planSet(all, [pass('event 0'), pass('event 1')], [])).toMatchObject({ next: set(['event 0', 'event 1']), ends: true })
  })

  test.each([
    ['any of the events', { one: filter }, ['until 0'], true],
    ['one of all of them', { all: [filter, filter] }, ['until 0'], false],
    ['the last of all of them', { all: [filter, filter] }, ['until 0', 'until 1'], true],
  ])('of a stream ends by %s in `until`, which the workflow does not get', (_case, until, names, ends) => {
    const passed = names.map((name) => pass(name))
    expect(planSet({ any: [filter], until }, passed, [set(['event 0'])])).toMatchObject({ consumes: false, ends })
  })

  test('of a stream takes further events of the same filter', () => {
    const open = set(['event 0'])
    expect(planSet({ any: [filter], until: '.' }, [pass('event 0')], [open])).toMatchObject({ set: open, consumes: true, ends: false })
  })
})
