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

const executionOf = (workflow: CompiledWorkflow, entries: readonly JournalEntry[], input: Json = {}) => ({
  id: 'e',
  workflow,
  input,
  startedAtMs: 0,
  secrets: {},
  runtime: {},
  entries,
})

const keyAt = (position: string) => `key of ${position}`

test('a retry keeps the key of an effect in a branch when another branch failed, and the failed effect has a new key', () => {
  const workflow = workflowOf(fork(false, call('a'), call('b')))
  const positions = Object.keys(inheritedKeys(executionOf(workflow, []), executionOf(workflow, []), keyAt))
  expect(positions).toHaveLength(2)
  const [first = '', second = ''] = positions
  const fails = entry(0, first, 'a', { ok: false, value: { type: 't', status: 500, title: 'T' } })
  expect(inheritedKeys(executionOf(workflow, [fails]), executionOf(workflow, []), keyAt)).toEqual({ [second]: keyAt(second) })
})

test('an effect with an outcome has no inherited key', () => {
  const workflow = workflowOf(call('a'), call('b'))
  const done = [entry(0, '/do/0/task0', 'a')]
  expect(inheritedKeys(executionOf(workflow, done), executionOf(workflow, done), keyAt)).toEqual({ '/do/1/task1': keyAt('/do/1/task1') })
  const all = [...done, entry(1, '/do/1/task1', 'b')]
  expect(inheritedKeys(executionOf(workflow, all), executionOf(workflow, all), keyAt)).toEqual({})
})

test('a key is not inherited by another function at the same position', () => {
  const retry = executionOf(workflowOf(call('b')), [])
  expect(inheritedKeys(executionOf(workflowOf(call('a')), []), retry, keyAt)).toEqual({})
})

test('in another version a key is inherited by an effect with the same name and arguments', () => {
  const workflowWith = (value: Json) => workflowOf(call('a', value))
  const old = executionOf(workflowWith({ amount: 1 }), [])
  expect(inheritedKeys(old, executionOf(workflowWith({ amount: 1 }), []), keyAt)).toEqual({ '/do/0/task0': keyAt('/do/0/task0') })
  expect(inheritedKeys(old, executionOf(workflowWith({ amount: 2 }), []), keyAt)).toEqual({})
})

test('with another input a key is not inherited by an effect with other arguments', () => {
  const workflow = workflowOf({ kind: 'call', function: 'a', arguments: (input) => input })
  const old = executionOf(workflow, [], { n: 1 })
  expect(Object.keys(inheritedKeys(old, executionOf(workflow, [], { n: 1 }), keyAt))).toHaveLength(1)
  expect(inheritedKeys(old, executionOf(workflow, [], { n: 2 }), keyAt)).toEqual({})
})

test('if the replay diverges, the effects that were requested before it inherit their keys', () => {
  const workflow = workflowOf(call('a'))
  const old = executionOf(workflow, [entry(0, '/do/7/nowhere', 'x')])
  expect(inheritedKeys(old, executionOf(workflow, []), keyAt)).toEqual({ '/do/0/task0': keyAt('/do/0/task0') })
})
