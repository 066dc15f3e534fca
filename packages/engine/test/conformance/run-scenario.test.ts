import { afterAll, describe, expect, test } from 'vitest'
import { parseFeature } from './gherkin.ts'
import { runScenario } from './run-scenario.ts'
import { createStage } from './stage.ts'

// Each check must fail if it is not satisfied; otherwise a scenario could pass whatever the engine does.

const stage = createStage()
afterAll(() => stage.close())

const completing = `
Given a workflow with definition:
"""yaml
do:
  - first: { set: { x: [ 1, 2 ] } }
  - skipped: { if: 'false', set: { y: 1 } }
  - pause: { wait: PT2S }
  - report: { emit: { event: { with: { source: 'https://s.test', type: t, id: one, data: 7 } } } }
  - ask: { call: http, with: { method: post, endpoint: 'https://api.test/x', body: { a: 1 } } }
  - answer: { call: respond, with: { body: 5 } }
  - last: { set: { done: true } }
"""
And the installation has the function:
"""yaml
{ name: respond, performs: answer }
"""
And the service answers POST https://api.test/x
When the workflow is executed`
const faulting = `
Given a workflow with definition:
"""yaml
do: [ { fails: { set: { x: '\${ .a.b.c + {} | error("broken") }' } } } ]
"""
When the workflow is executed`
const waiting = `
Given a workflow with definition:
"""yaml
do: [ { ask: { call: sign } } ]
"""
And the installation has the function:
"""yaml
{ name: sign, performs: waiting }
"""
When the workflow is executed`
const invalid = `
Given a workflow with definition:
"""yaml
do: [ { a: { set: { x: 1 }, then: nowhere } } ]
"""`
const refused = `
Given a workflow with definition:
"""yaml
do: [ { a: { run: { shell: { command: ls } } } } ]
"""`

function play(given: string, then: string): Promise<void> {
  const [scenario] = parseFeature(`Feature: F\nScenario: S${given}\nThen ${then}`)
  if (scenario === undefined) throw new Error('no scenario')
  return runScenario(scenario, { stage })
}

const block = (text: string) => `\n"""yaml\n${text}\n"""`

describe('a sentence passes if it is true', () => {
  test.each([
    [completing, 'the workflow should complete with output { done: true }'],
    [completing, `the workflow output should match:${block('done: true')}`],
    [completing, 'it should have taken PT2S'],
    [completing, 'it should have taken between PT1S and PT3S'],
    [completing, 'first, pause, report, ask, answer, last should have completed, in this order'],
    [completing, 'first should have run once'],
    [completing, 'skipped should have been skipped'],
    [completing, 'skipped should not have run'],
    [completing, 'report should have been started after PT2S'],
    [completing, 'last should have been started 1 times'],
    [completing, `the events emitted should be:${block('- { type: t, data: 7 }')}`],
    [completing, 'the events of type t should have the data [ 7 ]'],
    [completing, 'POST https://api.test/x should have been asked for 1 time'],
    [completing, `POST https://api.test/x should have been asked for with:${block('body: { a: 1 }')}`],
    [completing, 'the workflow should have answered 5'],
    [completing, 'the output should not contain secret'],
    [faulting, 'the workflow should fault with the expression error at /do/0/fails'],
    [waiting, 'the workflow should be waiting'],
    [waiting, 'the sign that it waits for is answered with 1'],
    [invalid, 'the definition should be invalid: dangling_then at /do/0/a/then'],
    [refused, 'the definition should be valid, but refused here at /do/0/a/run/shell'],
  ])('%#: %s %s', async (given, then) => {
    await expect(play(given, then)).resolves.toBeUndefined()
  })
})

describe('a sentence fails if it is false', () => {
  test.each([
    [faulting, 'the workflow should complete'],
    [waiting, 'the workflow should complete'],
    [completing, 'the workflow should complete with output { done: false }'],
    [completing, 'the workflow should complete with output { done: true, more: 1 }'],
    [faulting, 'the workflow should complete with output null'],
    [completing, `the workflow output should match:${block('done: false')}`],
    [completing, 'the workflow should fault'],
    [completing, 'the workflow should fault with the expression error at /do/0/fails'],
    [faulting, 'the workflow should fault with the validation error at /do/0/fails'],
    [faulting, 'the workflow should fault with the expression error at /do/0/other'],
    [faulting, 'the detail of the error should contain another thing'],
    [completing, 'the detail of the error should contain anything'],
    [completing, 'the workflow should be waiting'],
    [completing, 'the workflow should be cancelled'],
    [completing, 'the workflow should have answered 6'],
    [faulting, 'the workflow should have answered null'],
    [completing, 'it should have taken PT1S'],
    [completing, 'it should have taken between PT3S and PT4S'],
    [completing, 'it should have taken between PT1S and PT1.999S'],
    [completing, 'first, last should have completed, in this order'],
    [completing, 'skipped should have run once'],
    [completing, 'first should have been skipped'],
    [completing, 'first should not have run'],
    [completing, 'report should have been started after PT1S'],
    [completing, 'report should have been started after PT2S, PT2S'],
    [completing, 'last should have been started 2 times'],
    [completing, `the events emitted should be:${block('- { type: t, data: 8 }')}`],
    [completing, `the events emitted should be:${block('[]')}`],
    [completing, 'the events of type t should have the data []'],
    [completing, 'no event should have been emitted'],
    [completing, 'POST https://api.test/x should have been asked for 0 times'],
    [completing, 'POST https://api.test/y should have been asked for 1 time'],
    [completing, `POST https://api.test/x should have been asked for with:${block('body: { a: 2 }')}`],
    [completing, `GET https://api.test/x should have been asked for with:${block('body: { a: 1 }')}`],
    [completing, 'the output should not contain done'],
    [waiting, 'the approve that it waits for is answered with 1'],
    [invalid, 'the definition should be valid'],
    [invalid, 'the definition should be invalid: unreachable_task at /do/0/a/then'],
    [invalid, 'the definition should be invalid: dangling_then at /do/0/a'],
    [invalid, 'the definition should be warned of: dangling_then at /do/0/a/then'],
    [invalid, 'the definition should be valid, but refused here at /do/0/a/then'],
    [refused, 'the definition should be valid, but refused here at /do/0/a'],
    [refused, 'the definition should be invalid: unsupported_feature at /do/0/a/run/shell'],
    [refused, 'the workflow is executed'],
    [invalid, 'the workflow is executed'],
    [completing, 'something else should be so'],
    [completing, 'it should have taken ages'],
    [completing, 'the workflow should complete\n| a | table |'],
  ])('%#: %s %s', async (given, then) => {
    await expect(play(given, then)).rejects.toThrow(/./)
  })
})
