import { describe, expect, test } from 'vitest'
import { uncheckedDefinitionOf } from '#testing/run-definition.ts'
import { walk } from '#testing/walk.ts'

const names = [
  'a/b',
  'a~b',
  '~1',
  '/',
  '//',
  'with space',
  'ünïcödé ✓ 漢字',
  '𝒜',
  'a[3]',
  'b!2',
  'c~1',
  'do',
  'try',
  '0',
  '__proto__',
  'constructor',
  '${ .x }',
  'a\0b',
  '"quoted"',
  "it's",
  '\\',
  '%2F',
  'ends/',
  '.',
  '#',
]

const definition = (tasks: readonly unknown[]) => uncheckedDefinitionOf(JSON.stringify({ do: tasks }))

describe('a task may be called', () => {
  test.each(names)('%j', (name) => {
    const { output, events, state } = walk(definition([{ [name]: { set: { n: 1 } } }]))
    expect(state).toBe('completed')
    expect(output).toEqual({ n: 1 })
    expect(events[0]?.name).toBe(name)
  })

  test.each(names)('%j, and a reference leads to it', (name) => {
    const { events } = walk(definition([{ outer: { do: [{ [name]: { set: { n: 1 } } }] } }]))
    const reference = events.find((event) => event.name === name)?.reference ?? ''
    const escaped = reference.slice('/do/0/outer/do/0/'.length)
    expect(escaped.replaceAll('~1', '/').replaceAll('~0', '~')).toBe(name)
    expect(escaped).not.toContain('/')
  })

  test.each(names)('%j, and its position has nothing that PostgreSQL refuses', (name) => {
    const { calls } = walk(definition([{ [name]: { call: 'http', with: { method: 'get', endpoint: { uri: 'http://a' } } } }]))
    expect(calls[0]?.position).not.toContain('\0')
    expect(calls[0]?.position.startsWith('/do/0/')).toBe(true)
  })
})

test('all odd names together have positions of their own, in lists, loops, tries and second visits', () => {
  const list = names.map((name) => ({ [name]: { set: { n: 1 } } }))
  const { events, state } = walk(
    definition([
      { list: { do: list } },
      { loop: { for: { in: '[1, 2]' }, do: list } },
      { attempt: { try: list, catch: {} } },
      { count: { set: '${ { n: (($context.n // 0) + 1) } }', export: { as: '.' } } },
      { again: { switch: [{ yes: { when: '.n < 3', then: 'list' } }] } },
    ]),
  )
  const positions = events.filter(({ what }) => what === 'started').map(({ position }) => position)
  expect(state).toBe('completed')
  expect(new Set(positions).size).toBe(positions.length)
})

test('a task whose name has characters of a pointer can be jumped to', () => {
  const { completed } = walk(definition([{ a: { set: { x: 1 }, then: 'c/~d' } }, { b: { set: { x: 2 } } }, { 'c/~d': { set: { x: 3 } } }]))
  expect(completed).toEqual(['a', 'c/~d'])
})

test('outputs of oddly named tasks are found in $steps', () => {
  const { output } = walk(definition([{ 'a/b c': { set: { n: 1 } } }, { read: { set: { got: '${ $steps["a/b c"].n }' } } }]))
  expect(output).toEqual({ got: 1 })
})
