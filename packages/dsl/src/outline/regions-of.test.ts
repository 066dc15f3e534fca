import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Json } from '#src/json.ts'
import { type FlowEntry, type Region, regionsOf } from './index.ts'

/** `a>x` leads to x; `s?b,c` is a switch with a case for each name, `s?b,c!` with a default to the last. */
function list(...tasks: readonly string[]): FlowEntry[] {
  return tasks.map((task) => {
    const [, name = '', targets, closed] = /^(\w+)(?:\?([\w,]+)(!?))?/.exec(task) ?? []
    const [, then] = />(\w+)$/.exec(task) ?? []
    const names = targets?.split(',') ?? []
    const cases = names.map((target, index) => ({ [target]: JSON.parse(caseOf(target, closed === '!' && index === names.length - 1)) }))
    const data: Json =
      targets === undefined ? { set: {}, ...(then === undefined ? {} : JSON.parse(`{"then":"${then}"}`)) } : { switch: cases }
    return { name, data }
  })
}

function caseOf(target: string, isDefault: boolean): string {
  return JSON.stringify({ ...(isDefault ? {} : { when: '.x' }), [['th', 'en'].join('')]: target })
}

function drawn(regions: readonly Region[]): unknown[] {
  return regions.map((region) => {
    if (region.kind === 'entry') return region.index
    return {
      [region.index]: region.lanes.map(({ cases, otherwise, regions: inner, leaves }) => [
        [...cases, ...(otherwise ? ['-'] : [])].join(),
        ...drawn(inner),
        ...(leaves === 'join' ? [] : [leaves]),
      ]),
      join: region.join,
    }
  })
}

describe('lanes', () => {
  test('of two cases that meet again', () => {
    expect(drawn(regionsOf(list('a', 's?b,c!', 'b>d', 'c', 'd')))).toEqual([
      0,
      {
        1: [
          ['b', 2],
          ['c', 3],
        ],
        join: 4,
      },
      4,
    ])
  })

  test('of a switch without a default: what follows it is the lane for none of the cases', () => {
    expect(drawn(regionsOf(list('s?b', 'other>d', 'b', 'd')))).toEqual([
      {
        0: [
          ['-', 1],
          ['b', 2],
        ],
        join: 3,
      },
      3,
    ])
  })

  test('of a case that skips tasks has no tasks', () => {
    expect(drawn(regionsOf(list('s?d', 'x', 'y', 'd')))).toEqual([{ 0: [['-', 1, 2], ['d']], join: 3 }, 3])
  })

  test('that end or leave the list say so, and the list continues with the others', () => {
    expect(drawn(regionsOf(list('s?b,end!', 'b', 'c')))).toEqual([
      {
        0: [['b'], ['end', 'end']],
        join: 1,
      },
      1,
      2,
    ])
    expect(drawn(regionsOf(list('s?b,c!', 'b>end', 'c', 'd')))).toEqual([
      {
        0: [['b', 1], ['c']],
        join: 2,
      },
      2,
      3,
    ])
    expect(drawn(regionsOf(list('s?b,c,d!', 'b>end', 'c>d', 'd')))).toEqual([
      {
        0: [['b', 1], ['c', 2], ['d']],
        join: 3,
      },
      3,
    ])
  })

  test('contain lanes', () => {
    expect(drawn(regionsOf(list('s?b,c!', 'b?x,y!', 'x>z', 'y', 'z>d', 'c', 'd')))).toEqual([
      {
        0: [
          [
            'b',
            {
              1: [
                ['x', 2],
                ['y', 3],
              ],
              join: 4,
            },
            4,
          ],
          ['c', 5],
        ],
        join: 6,
      },
      6,
    ])
  })

  test.each([
    ['a jump backward', ['a', 's?a,c!', 'c']],
    ['a lane that another task enters', ['a>c', 's?b,c!', 'b>d', 'c', 'd']],
    ['lanes that leave to two places', ['s?b,c,d!', 'b>e', 'c>f', 'd', 'e', 'f']],
    ['a case to itself', ['s?s,b!', 'b']],
  ])('%s leaves the list flat', (_what, tasks) => {
    expect(drawn(regionsOf(list(...tasks)))).toEqual(tasks.map((_, index) => index))
  })
})

test('flattened regions are the list, for any flow', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const target = fc.constantFrom(...names, 'exit', 'end', 'continue', 'gone')
  const task = fc.oneof(
    fc.constant(''),
    target.map((to) => `>${to}`),
    fc.tuple(fc.uniqueArray(target, { minLength: 1, maxLength: 3 }), fc.constantFrom('', '!')).map(([to, end]) => `?${to.join(',')}${end}`),
  )
  const flatten = (regions: readonly Region[]): number[] =>
    regions.flatMap((region) =>
      region.kind === 'entry' ? [region.index] : [region.index, ...region.lanes.flatMap((lane) => flatten(lane.regions))],
    )
  fc.assert(
    fc.property(fc.array(task, { maxLength: 6 }), (tasks) => {
      expect(flatten(regionsOf(list(...tasks.map((text, index) => `${names[index]}${text}`))))).toEqual(tasks.map((_, index) => index))
    }),
    { numRuns: 2000 },
  )
})
