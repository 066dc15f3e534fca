import { compileSchema, type Json } from '@millrace/engine'
import { expect, test } from 'vitest'
import { manifest } from './manifest.ts'

const run = { runId: '0192f3b4-7d1e-7c22-9a57-1f4a6c0d9e11', goal: 'a', quality: 'fast', steps: 1, tokens: 1, deadlineMs: 1, tools: [] }

test.each<[string, Json]>([
  ['more steps than a run may have', { run: { ...run, steps: 51 }, state: {} }],
  ['an id of another form', { run: { ...run, runId: 'x' }, state: {} }],
  ['a message of the system', { run, state: { messages: [{ role: 'system', text: 'a' }] } }],
])('%s is refused', (_case, args) => {
  const faultsOf = compileSchema({ document: manifest.input })
  expect(faultsOf({ run, state: {} })).toEqual([])
  expect(faultsOf(args)).not.toEqual([])
})
