import { expect, test } from 'vitest'
import type { CompiledWorkflow } from '#core/node.ts'
import type { Json } from '#core/json.ts'
import { call, fork, workflowOf } from '#testing/nodes.ts'
import { inheritedKeys } from '#testing/walks.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'

const entry = (seq: number, position: string, kind: string, changes: Partial<JournalEntry> = {}): JournalEntry => ({
  seq,
  position,
  phase: 'ended',
  kind,
  ok: true,
  value: null,
  decisions: '',
  startedAtMs: 1,
  endedAtMs: 1,
  ...changes,
})

const walked = (workflow: CompiledWorkflow, entries: readonly JournalEntry[], input: Json = {}) => ({
  id: 'e',
  workflow,
  input,
  startedAtMs: 0,
  secrets: {},
  runtime: {},
  entries,
})

const keyAt = (position: string) => `key of ${position}`

test('what was under way in a branch when another one failed is asked for under its key, and what failed is not', () => {
  const workflow = workflowOf(fork(false, call('a'), call('b')))
  const positions = Object.keys(inheritedKeys(walked(workflow, []), walked(workflow, []), keyAt))
  expect(positions).toHaveLength(2)
  const [first = '', second = ''] = positions
  const fails = entry(0, first, 'a', { ok: false, value: { type: 't', status: 500, title: 'T' } })
  expect(inheritedKeys(walked(workflow, [fails]), walked(workflow, []), keyAt)).toEqual({ [second]: keyAt(second) })
})

test('what has an outcome is not asked for again', () => {
  const workflow = workflowOf(call('a'), call('b'))
  const done = [entry(0, '/do/0/task0', 'a')]
  expect(inheritedKeys(walked(workflow, done), walked(workflow, done), keyAt)).toEqual({ '/do/1/task1': keyAt('/do/1/task1') })
  const all = [...done, entry(1, '/do/1/task1', 'b')]
  expect(inheritedKeys(walked(workflow, all), walked(workflow, all), keyAt)).toEqual({})
})

test('another function at the same place is another effect', () => {
  const fresh = walked(workflowOf(call('b')), [])
  expect(inheritedKeys(walked(workflowOf(call('a')), []), fresh, keyAt)).toEqual({})
})

test('in another version it is the same effect where its name and its arguments are', () => {
  const given = (value: Json) => workflowOf(call('a', value))
  const old = walked(given({ amount: 1 }), [])
  expect(inheritedKeys(old, walked(given({ amount: 1 }), []), keyAt)).toEqual({ '/do/0/task0': keyAt('/do/0/task0') })
  expect(inheritedKeys(old, walked(given({ amount: 2 }), []), keyAt)).toEqual({})
})

test('with another input an effect with other arguments has a key of its own', () => {
  const workflow = workflowOf({ kind: 'call', function: 'a', arguments: (input) => input })
  const old = walked(workflow, [], { n: 1 })
  expect(Object.keys(inheritedKeys(old, walked(workflow, [], { n: 1 }), keyAt))).toHaveLength(1)
  expect(inheritedKeys(old, walked(workflow, [], { n: 2 }), keyAt)).toEqual({})
})

test('where the walk does not meet its journal, what it came to before counts', () => {
  const workflow = workflowOf(call('a'))
  const old = walked(workflow, [entry(0, '/do/7/nowhere', 'x')])
  expect(inheritedKeys(old, walked(workflow, []), keyAt)).toEqual({ '/do/0/task0': keyAt('/do/0/task0') })
})
