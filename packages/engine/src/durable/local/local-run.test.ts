import { describe, expect, test } from 'vitest'
import { standardError } from '#core/error.ts'
import { runDefinition } from '#testing/run-definition.ts'
import { settled } from '#testing/manual-journal.ts'
import { call, node, runWorkflow, set, workflowOf } from '#testing/nodes.ts'
import type { CompiledWorkflow } from '#core/node.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import { runLocally } from './local-run.ts'

const other = (name: string, tasks: string) => `
  document: { dsl: '1.0.3', namespace: test, name: ${name}, version: '1.0.0' }
  do: ${tasks}`
const run = (name: string, more = '') =>
  `{ c: { run: { ${more}workflow: { namespace: test, name: ${name}, version: '1.0.0', input: { n: '\${ .n }' } } } } }`

describe('a run in this process', () => {
  test('a local run transforms its input into its output', async () => {
    const { state, output, writes } = await runDefinition(`do: [{ a: { set: { doubled: '\${ .n * 2 }' } } }]`, { input: { n: 4 } })
    expect({ state, output }).toEqual({ state: 'completed', output: { doubled: 8 } })
    expect(writes).toHaveLength(1)
  })

  test('a local run performs effects in order, with the secrets', async () => {
    const seen: unknown[] = []
    const http: EffectFunction = async ({ arguments: given, secrets }) => {
      seen.push(secrets)
      return given
    }
    const ask = (name: string) =>
      `{ ${name}: { call: http, with: { method: get, endpoint: { uri: 'http://${name}' } }, output: { as: .endpoint.uri } } }`
    const ran = await runDefinition(`use: { secrets: [token] }\ndo: [${ask('a')}, ${ask('b')}]`, { http, secrets: { token: 'hush' } })
    expect(ran.output).toBe('http://b')
    expect(seen).toEqual([{ token: 'hush' }, { token: 'hush' }])
  })

  test('a local run receives the output of its children', async () => {
    const ran = await runDefinition(`do: [${run('child')}]`, {
      input: { n: 2 },
      others: [other('child', `[{ a: { set: { got: '\${ .n }' } } }]`)],
    })
    expect(ran).toMatchObject({ state: 'completed', output: { got: 2 } })
  })

  test('a local run faults with the error of a child', async () => {
    const raise = `[{ r: { raise: { error: { type: 'https://t.test/x', status: 418, title: Teapot } } } }]`
    const ran = await runDefinition(`do: [${run('child')}]`, { others: [other('child', raise)] })
    expect(ran).toMatchObject({ state: 'faulted', error: { status: 418, title: 'Teapot' } })
  })

  test('a local run catches the error of a child', async () => {
    const raise = `[{ r: { raise: { error: { type: 'https://t.test/x', status: 418 } } } }]`
    const ran = await runDefinition(
      `do: [{ t: { try: [${run('child')}], catch: { do: [{ h: { set: { status: '\${ $error.status }' } } }] } } }]`,
      {
        others: [other('child', raise)],
      },
    )
    expect(ran.output).toEqual({ status: 418 })
  })

  test('a local run does not wait for a child with await false', async () => {
    const ran = await runDefinition(`do: [${run('child', 'await: false, ')}]`, {
      input: { n: 1 },
      others: [other('child', `[{ w: { wait: PT0.01S } }]`)],
    })
    expect(ran).toMatchObject({ state: 'completed', output: { n: 1 } })
  })

  test('a local run faults if the workflow of a child does not exist', async () => {
    const ran = await runDefinition(`do: [${run('missing')}]`)
    expect(ran).toMatchObject({
      state: 'faulted',
      error: { status: 400, detail: 'there is no published workflow "test/missing" in version "1.0.0"' },
    })
  })

  test('a workflow that runs itself ends', async () => {
    const ran = await runDefinition(`do: [${run('self')}]`, { others: [other('self', `[${run('self')}]`)] })
    expect(ran).toMatchObject({ state: 'faulted', error: { status: 500, detail: 'workflows run workflows more than 64 levels deep' } })
  })

  test('a local run waits for the given time', async () => {
    const began = performance.now()
    expect(await runDefinition(`do: [{ w: { wait: { milliseconds: 30 } } }]`)).toMatchObject({ state: 'completed' })
    expect(performance.now() - began).toBeGreaterThanOrEqual(29)
  })

  test('a long loop in a local run does not block timers', async () => {
    const ran = await runDefinition(`
      do:
        - f:
            fork:
              compete: true
              branches:
                - endless: { do: [{ a: { set: { x: 1 } } }, { again: { switch: [{ yes: { when: .x == 1, then: a } }] } }] }
                - timer: { do: [{ w: { wait: { milliseconds: 20 } } }, { s: { set: { from: timer } } }] }`)
    expect(ran.output).toEqual({ from: 'timer' })
  })
})

describe('with hand-made workflows', () => {
  function local(
    workflow: CompiledWorkflow,
    children: Readonly<Record<string, CompiledWorkflow | 'broken'>> = {},
    functions: Readonly<Record<string, EffectFunction>> = {},
  ) {
    const warnings: string[] = []
    let ids = 0
    const started = runLocally(
      workflow,
      {},
      {
        functions: new Map(Object.entries(functions)),
        definitions: {
          async load(_accountId, versionId) {
            const found = children[versionId]
            if (found === undefined || found === 'broken') throw new Error('the file is gone')
            return found
          },
          resolve: async (_accountId, { name }) => ({ workflowId: name, versionId: name }),
        },
        reporter: { warn: (message) => void warnings.push(message) },
        secrets: {},
        now: () => 0,
        newId: () => `id-${++ids}`,
        version: '0',
      },
    )
    return { started, warnings }
  }

  test('a cancel ends a local run and aborts its effect', async () => {
    const aborted: boolean[] = []
    const a: EffectFunction = ({ signal }) => new Promise((resolve) => signal.addEventListener('abort', () => resolve(aborted.push(true))))
    const { started } = local(workflowOf(call('a')), {}, { a })
    await settled()
    started.cancel()
    await expect(started.end).resolves.toMatchObject({ kind: 'ended', state: 'cancelled' })
    expect(aborted).toEqual([true])
  })

  test('a cancel of a local run aborts the effects of its children', async () => {
    const signals: AbortSignal[] = []
    const a: EffectFunction = ({ signal }) => {
      signals.push(signal)
      return new Promise(() => undefined)
    }
    const { started } = local(workflowOf(runWorkflow('child')), { child: workflowOf(call('a')) }, { a })
    for (let turns = 0; turns < 5; turns++) await settled()
    expect(signals).toHaveLength(1)
    started.cancel()
    await started.end
    await settled()
    expect(signals[0]?.aborted).toBe(true)
  })

  test('a child workflow that cannot be loaded faults the task, and the error is logged', async () => {
    const { started, warnings } = local(workflowOf(runWorkflow('child')), { child: 'broken' })
    await expect(started.end).resolves.toMatchObject({ state: 'faulted', error: { detail: 'the child workflow could not be loaded' } })
    expect(warnings).toEqual(['child execution failed to start'])
  })

  test('a bug in the first task faults a local run, and is logged', async () => {
    const bug = node('a', '/do/0/a', {
      kind: 'set',
      value: () => {
        throw new TypeError('a bug')
      },
    })
    const { started, warnings } = local({ ...workflowOf(), tasks: { tasks: [bug] } })
    await expect(started.end).resolves.toMatchObject({ state: 'faulted', error: { detail: 'an internal error of the engine' } })
    expect(warnings).toEqual(['an execution faulted because of a bug'])
  })

  test('an unexpected error of an effect faults a local run, and is logged', async () => {
    const { started, warnings } = local(workflowOf(set({ x: 1 }), call('a')), {}, { a: () => Promise.reject(new Error('hush')) })
    await expect(started.end).resolves.toMatchObject({ error: standardError('runtime', 'the function "a" failed', '/do/1/task1').data })
    expect(warnings).toHaveLength(1)
  })
})
