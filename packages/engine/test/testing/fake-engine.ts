import type { CompiledWorkflow } from '#core/node.ts'
import type { EngineDeps } from '#durable/process/engine-deps.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import type { ExecutionSnapshot, ExecutionHead } from '#durable/ports/execution.ts'
import type { ClaimedExecution, Signal, Store, ClaimedJob } from '#durable/ports/store.ts'
import { createManualJournal, type ManualJournal } from './manual-journal.ts'
import { runStartedAtMs } from './start-test-run.ts'

export interface FakeEngine {
  readonly deps: EngineDeps
  readonly journal: ManualJournal
  /** The calls of the store and the bus, in order, as `name argument`. */
  readonly storeCalls: readonly string[]
  readonly warnings: readonly string[]
  readonly done: readonly string[]
  /** The `suspectsMax` of each claim. */
  readonly suspectsMaxes: readonly (number | undefined)[]
  /** The results of the store; a test changes them. */
  readonly answers: {
    alive: boolean
    signals: Signal[]
    messages: Message[]
    taken: ClaimedJob[]
    unackedClaims: string[]
    children: ExecutionSnapshot[]
    found: ExecutionSnapshot | undefined
    byKey: { readonly id: string; readonly digest: string } | undefined
    cancel: 'cancelled' | 'requested' | 'ended' | 'unknown'
    recovered: { readonly requeued: number; readonly deadLettered: number }
    failing: string | undefined
  }
}

/** The dependencies of an engine with a journal, store and queue that the test controls. */
export function createFakeEngine(workflow: CompiledWorkflow, functions: Readonly<Record<string, EffectFunction>> = {}): FakeEngine {
  const journal = createManualJournal()
  const asked: string[] = []
  const warnings: string[] = []
  const done: string[] = []
  const suspectsMaxes: (number | undefined)[] = []
  const answers: FakeEngine['answers'] = {
    alive: true,
    signals: [],
    messages: [],
    taken: [],
    unackedClaims: [],
    children: [],
    found: undefined,
    byKey: undefined,
    cancel: 'requested',
    recovered: { requeued: 0, deadLettered: 0 },
    failing: undefined,
  }
  let ids = 0
  async function ask<T>(name: string, argument: string | number | readonly string[] | undefined, answer: () => T): Promise<T> {
    asked.push(argument === undefined ? name : `${name} ${argument.toString()}`)
    if (answers.failing === name) throw new Error(`${name} failed`)
    return answer()
  }
  const store: Store = {
    register: () => ask('register', undefined, () => undefined),
    heartbeat: () => ask('heartbeat', undefined, () => answers.alive),
    signals: () => ask('signals', undefined, () => answers.signals.splice(0)),
    acknowledge: (signals) =>
      ask(
        'acknowledge',
        signals.map(({ id }) => id),
        () => undefined,
      ),
    claim: (count, { done: ended = [], suspectsMax } = {}) =>
      ask('claim', count, () => {
        done.push(...ended)
        suspectsMaxes.push(suspectsMax)
        return answers.taken.splice(0, count)
      }),
    findUnackedClaims: (running) => ask('findUnackedClaims', running, () => answers.unackedClaims.splice(0)),
    release: (released) => ask('release', released, () => undefined),
    abandonClaims: (abandoned) => ask('abandonClaims', abandoned, () => undefined),
    findRecord: (_accountId, id) => ask('findRecord', id, () => undefined),
    continueFrom: ({ id }) => ask('continueFrom', id, () => id),
    messages: (id) => ask('messages', id, () => answers.messages),
    findSnapshots: (childIds) => ask('findSnapshots', childIds, () => answers.children),
    cancel: (_accountId, id) => ask('cancel', id, () => answers.cancel),
    suspend: (_accountId, id) => ask('suspend', id, () => 'requested'),
    resume: (_accountId, id) => ask('resume', id, () => 'resumed'),
    find: (_accountId, id) => ask('find', id, () => answers.found),
    findByKey: (_accountId, key) => ask('findByKey', key, () => answers.byKey),
    recover: () => ask('recover', undefined, () => answers.recovered),
    unregister: () => ask('unregister', undefined, () => undefined),
  }
  const deps: EngineDeps = {
    journal,
    store,
    turns: {
      take: ({ head }) => ask('takeTurn', head.id, () => true),
      end: ({ id }) => ask('endTurn', id, () => undefined),
      passAbandoned: async () => undefined,
    },
    queue: { done: async (jobIds) => void done.push(...jobIds), touch: async (jobIds) => void asked.push(`touch ${String(jobIds)}`) },
    bus: {
      start: () => void asked.push('bus starts'),
      wake: () => void asked.push('bus nudged'),
      publish: (accountId, events) => ask('publish', accountId, () => events.length),
      send: ({ executionId }) => ask('send', executionId, () => true),
      stop: () => ask('bus stops', undefined, () => undefined),
    },
    definitions: {
      load: async (_accountId, versionId) => {
        if (versionId === 'missing') throw new Error('no such version')
        return workflow
      },
      resolve: async (_accountId, { name }) => ({ workflowId: name, versionId: name }),
    },
    secrets: { read: async (_accountId, names) => Object.fromEntries(names.map((name) => [name, `secret ${name}`])) },
    functions: new Map(Object.entries(functions)),
    reporter: { warn: (message) => void warnings.push(message) },
    now: () => Date.now(),
    newId: () => `id-${++ids}`,
    version: '1.2.3',
  }
  return { deps, journal, storeCalls: asked, warnings, done, suspectsMaxes, answers }
}

export function headOf(id: string, more: Partial<ExecutionHead> = {}): ExecutionHead {
  return {
    id,
    accountId: 'account',
    workflowId: 'wf',
    versionId: 'wfv',
    trigger: 'manual',
    actor: 'user:test',
    input: {},
    parentId: undefined,
    depth: 0,
    createdAtMs: runStartedAtMs,
    idempotency: undefined,
    ...more,
  }
}

export function claimed(id: string, more: Partial<ClaimedExecution> = {}): ClaimedExecution {
  return {
    head: headOf(id),
    startedAtMs: runStartedAtMs,
    cancelRequested: false,
    suspendRequested: false,
    entries: [],
    messages: [],
    ...more,
  }
}

/** A snapshot of an execution, as the store reads it. */
export function snapshot(id: string, state: ExecutionSnapshot['state'], result: Partial<ExecutionSnapshot> = {}): ExecutionSnapshot {
  return { id, state, startedAtMs: undefined, endedAtMs: undefined, output: undefined, error: undefined, reply: undefined, ...result }
}
