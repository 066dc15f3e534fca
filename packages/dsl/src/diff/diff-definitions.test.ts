import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { diffDefinitions } from './diff-definitions.ts'

const of = (text: string) => parse(`document: { dsl: '1.0.3', namespace: a, name: b, version: '1.0.0' }\ndo:\n${text}`)
const base = `
  - first: { set: { a: 1 } }
  - loop: { for: { in: '\${ .x }' }, do: [{ pay: { set: { b: 1 } } }, { note: { set: { c: 1 } } }] }
  - risky: { try: [{ go: { set: { d: 1 } } }], catch: { as: e, do: [{ alert: { set: { f: 1 } } }] } }
`
const brief = (before: string, after: string) =>
  diffDefinitions(of(before), of(after)).map((change) =>
    [change.kind, change.path, ...('members' in change ? change.members : []), ...('from' in change ? [change.from] : [])].join(' '),
  )

describe('the differences of two definitions', () => {
  test.each([
    ['nothing', base, []],
    ['a changed member, by the names around the task', base.replace('b: 1', 'b: 2'), ['changed loop/pay set']],
    ['a member of the task that has other tasks', base.replace('.x', '.y'), ['changed loop for']],
    ['a task in catch', base.replace('f: 1', 'f: 2'), ['changed risky/catch/alert set']],
    ['a member of catch', base.replace('as: e', 'as: error'), ['changed risky catch']],
    ['an added task', `${base}  - last: { set: { z: 1 } }\n`, ['added last']],
    ['an added task, once with all tasks in it', `${base}  - more: { do: [{ inner: { set: { z: 1 } } }] }\n`, ['added more']],
    ['a removed task, once with all tasks in it', base.replace(/ {2}- loop.*\n/, ''), ['removed loop']],
    ['a renamed task', base.replace('first', 'begin'), ['renamed begin first']],
    ['a renamed task with tasks in it', base.replace('loop:', 'each:'), ['renamed each loop']],
    ['a moved task', base.replace(/( {2}- first.*\n)([^]*)$/, '$2$1'), ['moved first']],
  ])('%s', (_what, after, expected) => {
    expect(brief(base, after)).toEqual(expected)
  })

  test('members of the document are one change without a path, and the order of members does not count', () => {
    const before = of(base)
    const after = { ...before, timeout: { after: 'PT1M' } }
    expect(diffDefinitions(before, after)).toEqual([{ kind: 'changed', path: '', pointer: '', members: ['timeout'] }])
    expect(diffDefinitions(before, { do: before.do, document: before.document })).toEqual([])
  })
})

test('a permutation of a list is reported by the fewest moves, and nothing else', () => {
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const listOf = (order: readonly string[]) => ({ do: order.map((name) => ({ [name]: { set: { name } } })) })
  fc.assert(
    fc.property(fc.shuffledSubarray(names, { minLength: names.length }), (order) => {
      const changes = diffDefinitions(listOf(names), listOf(order))
      expect(changes.every(({ kind }) => kind === 'moved')).toBe(true)
      const moved = new Set(changes.map(({ path }) => path))
      const kept = order.filter((name) => !moved.has(name))
      expect(kept).toEqual(kept.toSorted())
      const isSorted = order.every((name, at) => name === names[at])
      expect(changes.length === 0).toBe(isSorted)
    }),
  )
})
