import { describe, expect, test } from 'vitest'
import { standardError, WorkflowError } from '#core/error.ts'
import type { ChildRequest, EffectRequest } from '#core/request.ts'
import { createStrand } from '#core/scope.ts'
import { Work } from '#core/work.ts'
import { headOf } from '#testing/fake-engine.ts'
import { createPerformer, type PerformerDeps } from './performer.ts'

const execution = { id: 'e', definition: null, input: null, startedAtMs: 0, runtime: {}, secrets: { token: 'hush' }, nowMs: 0 }
const strand = createStrand(execution, new Work())
const effect: EffectRequest = { kind: 'effect', position: '/do/0/a', strand, function: 'a', arguments: { x: 1 }, input: { y: 2 } }
const child: ChildRequest = {
  kind: 'child',
  position: '/do/0/c',
  strand,
  namespace: 'n',
  name: 'w',
  version: '1.0.0',
  input: { z: 3 },
  await: true,
}

function setUp(deps: Partial<PerformerDeps> = {}) {
  const warnings: string[] = []
  const performer = createPerformer({
    functions: new Map(),
    definitions: { load: () => Promise.reject(new Error('not asked')), resolve: async () => ({ workflowId: 'wf-w', versionId: 'wfv-w' }) },
    reporter: { warn: (message) => void warnings.push(message) },
    now: () => 7,
    newId: () => 'new',
    hasRoom: () => true,
    childAccepted: () => undefined,
    ...deps,
  })
  return { performer, warnings }
}

describe('performing an effect', () => {
  const perform = (act: () => Promise<never>, signal = new AbortController().signal) => {
    const { performer, warnings } = setUp({ functions: new Map([['a', act]]) })
    return performer.perform(headOf('e'), effect, signal).then((outcome) => ({ outcome, warnings }))
  }

  test('a performer passes the request to the function and returns its value', async () => {
    const { performer } = setUp({ functions: new Map([['a', async ({ arguments: given, input, secrets }) => [given, input, secrets]]]) })
    const outcome = await performer.perform(headOf('e'), effect, new AbortController().signal)
    expect(outcome).toEqual({ ok: true, value: [{ x: 1 }, { y: 2 }, { token: '***' }] })
  })

  test('a performer returns a WorkflowError with its retry delay', async () => {
    const { data } = standardError('communication', 'down')
    const { outcome, warnings } = await perform(() => Promise.reject(new WorkflowError(data, { retryAfterMs: 5 })))
    expect(outcome).toEqual({ ok: false, error: data, retryAfterMs: 5 })
    expect(warnings).toEqual([])
  })

  test('a performer never rejects, even if the function throws synchronously', async () => {
    const { outcome, warnings } = await perform(() => {
      throw new TypeError('a bug')
    })
    expect(outcome).toMatchObject({ ok: false, error: { status: 500, detail: 'the function "a" failed' } })
    expect(warnings).toHaveLength(1)
  })

  test('a performer does not log the error of a stopped effect', async () => {
    const { warnings } = await perform(() => Promise.reject(new Error('aborted')), AbortSignal.abort())
    expect(warnings).toEqual([])
  })
})

describe('preparing a child', () => {
  test('a prepared child has its parent, its depth and its input', async () => {
    const { performer } = setUp()
    await expect(performer.prepareChild(headOf('e', { depth: 4 }), child)).resolves.toEqual({
      ok: true,
      startedAtMs: 7,
      head: headOf('new', {
        workflowId: 'wf-w',
        versionId: 'wfv-w',
        trigger: 'workflow',
        actor: 'execution:e',
        input: { z: 3 },
        parentId: 'e',
        depth: 5,
        createdAtMs: 7,
      }),
    })
  })

  test('without room a prepared child is queued', async () => {
    const { performer } = setUp({ hasRoom: () => false })
    await expect(performer.prepareChild(headOf('e'), child)).resolves.toMatchObject({ ok: true, startedAtMs: undefined })
  })

  test.each([
    [63, true],
    [64, false],
  ])('a child of an execution %i levels deep is allowed: %s', async (depth, ok) => {
    await expect(setUp().performer.prepareChild(headOf('e', { depth }), child)).resolves.toMatchObject({ ok })
  })

  test('a child whose workflow cannot be looked up faults, and the error is logged', async () => {
    const definitions = { load: () => Promise.reject(new Error('no')), resolve: () => Promise.reject(new Error('the database is gone')) }
    const { performer, warnings } = setUp({ definitions })
    await expect(performer.prepareChild(headOf('e'), child)).resolves.toMatchObject({
      ok: false,
      error: { detail: 'the workflow "n/w" could not be looked up' },
    })
    expect(warnings).toHaveLength(1)
  })
})
