import { parse } from 'yaml'
import type { Definition } from '@millrace/dsl'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import type { CompiledWorkflow } from '#core/node.ts'

const main = `
document: { dsl: '1.0.3', namespace: crash, name: main, version: '1.0.0' }
use:
  functions:
    record: { call: http, with: { method: post, endpoint: { uri: '\${ .ledger + "/effect/function" }' } } }
input:
  schema: { document: { type: object, required: [ledger] } }
  from: '{ ledger: .ledger, rounds: [1, 2] }'
timeout: { after: PT5M }
do:
  - remember: { set: '\${ . }', export: { as: '{ ledger: .ledger }' } }
  - first:
      call: http
      with: { method: post, endpoint: { uri: '\${ $context.ledger + "/effect/first" }' }, output: content }
      output: { as: '{ first: .name }' }
  - choose:
      switch:
        - expected: { when: '.first == "first"', then: loop }
        - otherwise: { then: wrong }
  - wrong: { raise: { error: { type: 'https://millrace.test/wrong-way', status: 500 } } }
  - loop:
      input: { from: '{ seen: [] }' }
      for: { each: round, in: '\${ [1, 2] }' }
      do:
        - counted:
            call: http
            with: { method: post, endpoint: { uri: '\${ "\\($context.ledger)/effect/loop-\\($round)" }' } }
            output: { as: '{ seen: ($input.seen + [.name]) }' }
  - skipped: { if: '.seen == []', raise: { error: { type: 'https://millrace.test/not-skipped', status: 500 } } }
  - parallel:
      fork:
        branches:
          - left:
              do:
                - left1: { call: http, with: { method: post, endpoint: { uri: '\${ $context.ledger + "/effect/left-1" }' } } }
                - nap: { wait: PT0.03S }
                - left2: { call: http, with: { method: post, endpoint: { uri: '\${ $context.ledger + "/effect/left-2" }' } } }
          - right: { call: http, with: { method: post, endpoint: { uri: '\${ $context.ledger + "/effect/right" }' } } }
      output: { as: 'map(.name)' }
  - race:
      fork:
        compete: true
        branches:
          - slow: { wait: PT30S }
          - fast: { call: http, with: { method: post, endpoint: { uri: '\${ $context.ledger + "/effect/fast" }' } } }
  - flaky:
      try:
        - unsteady: { call: http, with: { method: post, endpoint: { uri: '\${ $context.ledger + "/flaky/unsteady" }' } } }
      catch:
        errors: { with: { status: 503 } }
        retry: { delay: PT0.02S, backoff: { exponential: {} }, limit: { attempt: { count: 5 } } }
  - caught:
      try:
        - broken: { raise: { error: { type: 'https://millrace.test/expected', status: 418, title: Expected } } }
      catch:
        errors: { with: { type: 'https://millrace.test/expected' } }
        do:
          - handled: { set: { handled: '\${ $error.status }' } }
  - limited:
      timeout: { after: PT1M }
      do:
        - inTime: { call: http, with: { method: post, endpoint: { uri: '\${ $context.ledger + "/effect/in-time" }' } } }
  - late:
      try:
        - tooLong: { timeout: { after: PT0.05S }, do: [{ sleep: { wait: PT30S } }] }
      catch:
        errors: { with: { status: 408 } }
        do:
          - gaveUp: { set: { gaveUp: true } }
  - together:
      metadata: { concurrency: 2 }
      for: { each: number, in: '\${ [1, 2, 3] }' }
      do:
        - beside: { call: http, with: { method: post, endpoint: { uri: '\${ "\\($context.ledger)/effect/together-\\($number)" }' } } }
      output: { as: 'map(.name)' }
  - ordered: { if: '. != ["together-1", "together-2", "together-3"]', raise: { error: { type: 'https://millrace.test/disorder', status: 500 } } }
  - written: { call: record, with: { ledger: '\${ $context.ledger }' } }
  - talk:
      fork:
        branches:
          - says:
              do:
                - one: { emit: { event: { with: { type: crash.line, source: /crash, data: { of: '\${ $workflow.id }', line: 1 } } } } }
                - between: { call: http, with: { method: post, endpoint: { uri: '\${ $context.ledger + "/effect/said" }' } } }
                - two: { emit: { event: { with: { type: crash.line, source: /crash, data: { of: '\${ $workflow.id }', line: 2 } } } } }
                - three: { emit: { event: { with: { type: crash.line, source: /crash, data: { of: '\${ $workflow.id }', line: 3 } } } } }
          - hears:
              listen:
                to:
                  any: [{ with: { type: crash.line }, correlate: { of: { from: .data.of, expect: '\${ $workflow.id }' } } }]
                  until: '. | length == 3'
              foreach:
                item: heard
                do:
                  - kept: { call: http, with: { method: post, endpoint: { uri: '\${ "\\($context.ledger)/effect/heard-\\($heard.line)" }' } }, output: { as: '$heard.line' } }
      output: { as: '.[1]' }
  - deaf: { if: '. != [1, 2, 3]', raise: { error: { type: 'https://millrace.test/deaf', status: 500 } } }
  - answered: { call: respond, with: { body: { heard: 3 } } }
  - asked: { call: ask, with: { question: '\${ $workflow.id }' } }
  - unasked: { if: '.answer != $workflow.id', raise: { error: { type: 'https://millrace.test/answer', status: 500 } } }
  - early: { emit: { event: { with: { type: crash.line, source: /crash, data: { of: '\${ $workflow.id }', line: 4 } } } } }
  - park: { wait: PT1.1S }
  - late-event:
      listen: { to: { one: { with: { type: crash.line, data: { line: 4 } }, correlate: { of: { from: .data.of, expect: '\${ $workflow.id }' } } } } }
      timeout: { after: PT1M }
  - child:
      run: { workflow: { namespace: crash, name: child, version: '1.0.0', input: { ledger: '\${ $context.ledger }' } } }
  - finish: { set: { child: '\${ .name }', ledger: '\${ $context.ledger }' } }
output: { as: '{ done: true, child: .child }' }
`

const child = `
document: { dsl: '1.0.3', namespace: crash, name: child, version: '1.0.0' }
do:
  - before: { call: http, with: { method: post, endpoint: { uri: '\${ .ledger + "/effect/child-1" }' } }, output: { as: '$input' } }
  - pause: { wait: PT0.02S }
  - after: { call: http, with: { method: post, endpoint: { uri: '\${ .ledger + "/effect/child-2" }' } } }
`

/** The ids of the versions in the workers of a crash test. */
export const versionIds = { main: '01900000-0000-7000-8000-00000000000a', child: '01900000-0000-7000-8000-00000000000b' } as const

/** The effects of one execution of the main workflow and its child. */
export const effects = [
  'first',
  'together-1',
  'together-2',
  'together-3',
  'function',
  'said',
  'heard-1',
  'heard-2',
  'heard-3',
  'loop-1',
  'loop-2',
  'left-1',
  'left-2',
  'right',
  'fast',
  'unsteady',
  'in-time',
  'child-1',
  'child-2',
] as const

const manifest = { version: '1.0.0', summary: 'For this test.', input: {}, output: {} } as const
/** Waits for a reply. */
const ask = { ...manifest, name: 'ask', performs: 'waiting' } as const
const respond = { ...manifest, name: 'respond', performs: 'answer' } as const

/** A workflow with every task of the language, and its child workflow. */
export function crashWorkflows(): ReadonlyMap<string, CompiledWorkflow> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above.
  const compiled = (yaml: string) => compileWorkflow(parse(yaml) as Definition, { functions: [ask, respond] })
  return new Map([
    [versionIds.main, compiled(main)],
    [versionIds.child, compiled(child)],
  ])
}
