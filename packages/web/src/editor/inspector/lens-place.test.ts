import type { Json } from '@millrace/dsl'
import { describe, expect, test } from 'vitest'
import { lensPlace } from '#src/editor/inspector/lens-place.ts'

const document: Json = {
  document: { dsl: '1.0.3', namespace: 'a', name: 'b', version: '1.0.0' },
  do: [
    { price: { if: '.x', input: { from: '.a' }, set: { total: '${ .b }' }, output: { as: '.c' }, export: { as: '.d' } } },
    { each: { for: { each: 'line', in: '.lines' }, while: '.go', do: [{ one: { set: { a: 1 } } }] } },
    { guard: { try: [{ one: { set: { a: 1 } } }], catch: { when: '.status' } } },
    { hear: { listen: { to: { one: { with: { type: '${ .t }' } } } }, foreach: { output: { as: '.x' } } } },
    { handle: { try: [{ one: { set: { a: 1 } } }], catch: { when: '.status', do: [{ 'note/it': { set: { b: 2 } } }] } } },
    { call: { call: 'http', with: { method: 'get', endpoint: 'https://example.com', body: { a: '${ .b }' } } } },
    { pause: { wait: 'PT1S', timeout: { after: '${ .d }' } } },
  ],
}

const at = (task: string, path: string) => lensPlace(document, task, `${task}/${path}`)

describe('the place of a lens', () => {
  test('is the moment at which the task evaluates the expression', () => {
    expect(at('/do/0/price', 'if')).toEqual({ task: '/do/0/price', moment: 'taskInput', bare: true })
    expect(at('/do/0/price', 'input/from')).toMatchObject({ moment: 'taskInput', bare: true })
    expect(at('/do/0/price', 'output/as')).toMatchObject({ moment: 'taskOutput', bare: true })
    expect(at('/do/0/price', 'export/as')).toMatchObject({ moment: 'taskExport', bare: true })
    expect(at('/do/1/each', 'for/in')).toMatchObject({ moment: 'task', bare: true })
  })

  test('a value that may be a plain text is an expression in braces only', () => {
    expect(at('/do/0/price', 'set/total')).toMatchObject({ moment: 'task', bare: false })
    expect(at('/do/5/call', 'with/body/a')).toMatchObject({ moment: 'task', bare: false })
    expect(at('/do/6/pause', 'timeout/after')).toMatchObject({ moment: 'task', bare: false })
  })

  test('of the condition of a loop or a catch is before the first task that follows', () => {
    expect(at('/do/1/each', 'while')).toEqual({ task: '/do/1/each/do/0/one', moment: 'taskInput', bare: true })
    expect(at('/do/4/handle', 'catch/when')).toEqual({ task: '/do/4/handle/catch/do/0/note~1it', moment: 'taskInput', bare: true })
  })

  test('is nowhere where an expression reads something else than the input or output of its task', () => {
    expect(at('/do/2/guard', 'catch/when')).toBeUndefined()
    expect(at('/do/3/hear', 'foreach/output/as')).toBeUndefined()
    expect(at('/do/3/hear', 'listen/to/one/with/type')).toBeUndefined()
    expect(lensPlace(document, '/do/0/price', '/do/1/each/for/in')).toBeUndefined()
  })
})
