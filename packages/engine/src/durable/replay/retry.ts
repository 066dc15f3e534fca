import { isTerminal } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createAnnouncer } from '#durable/lifecycle-events.ts'
import { carryOver, type ReplayableExecution } from './carry-over.ts'
import type { EngineDeps } from '#durable/process/engine-deps.ts'
import { inheritedKeys } from './inherited-keys.ts'
import { withLabels } from '#durable/run/labels.ts'
import { idempotencyKey } from '#durable/run/performer.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { ExecutionRecord } from '#durable/ports/store.ts'
import { walkInTurns } from './interruptible.ts'
import { ownProcessor } from '#durable/ports/processor.ts'
import { replay } from './replay.ts'
import { maskFor } from '#core/secret-mask.ts'
import { type Verdict, verify } from './verify.ts'

export interface RetryRequest {
  /** A UUID of version 7, for a caller that has already recorded something under this id; a new one unless given. */
  readonly id?: string
  /** Who requested the retry, as `kind:id`. */
  readonly actor: string
  /** Replaces the original input. */
  readonly input?: Json
  /** Replaces the original version. */
  readonly versionId?: string
  /** How many executions caused the retry; those that caused the original are the least. */
  readonly depth?: number
}

export type RetryResult =
  | { readonly kind: 'started'; readonly id: string }
  | { readonly kind: 'unknown' | 'not_ended' | 'completed' }
  /** The execution was retried before; `id` is that retry. */
  | { readonly kind: 'retried'; readonly id: string }

type VerifyDeps = Pick<EngineDeps, 'processor' | 'secrets' | 'version' | 'publicId'> & {
  readonly store: Pick<EngineDeps['store'], 'findRecord'>
  readonly definitions: Pick<EngineDeps['definitions'], 'load'>
}

type Deps = Pick<
  EngineDeps,
  'processor' | 'reception' | 'reporter' | 'lifecycle' | 'store' | 'definitions' | 'secrets' | 'now' | 'newId' | 'version' | 'publicId'
>

/**
 * Retries an execution that faulted or was cancelled, in a new execution that begins at the failed task. The outcomes before that task are
 * taken over and their effects are not repeated. The ended execution stays unchanged, so that it can still be examined.
 */
export async function retryExecution(deps: Deps, accountId: string, id: string, request: RetryRequest): Promise<RetryResult> {
  const record = await deps.store.findRecord(accountId, id)
  if (record === undefined) return { kind: 'unknown' }
  if (record.state === 'completed') return { kind: 'completed' }
  if (!isTerminal(record.state)) return { kind: 'not_ended' }
  const ended = await loadReplayable(deps, record)
  const versionId = request.versionId ?? record.versionId
  const workflow = versionId === record.versionId ? ended.workflow : await deps.definitions.load(accountId, versionId)
  const secrets = await deps.secrets.read(accountId, workflow.secrets, record)
  const input = request.input === undefined ? record.input : request.input
  const startedAtMs = deps.now()
  const retryId = request.id ?? deps.newId()
  const retry = { ...ended, id: deps.publicId?.(retryId) ?? retryId, workflow, secrets, input, startedAtMs }
  const journalled = { ...ended, entries: record.entries }
  const { processor = ownProcessor } = deps
  const inTurns = { processor, accountId }
  const entries = await walkInTurns(carryOver(journalled, retry, processor.turn), inTurns)
  const keyOf = (position: string) => record.keys?.[position] ?? idempotencyKey(ended.id, position)
  const keys = await walkInTurns(inheritedKeys(journalled, { ...retry, entries }, keyOf, processor.turn), inTurns)
  const { actor, depth = 0 } = request
  const of = depth > record.depth ? { ...record, depth } : record
  const events = await lifecycleEventsOf(deps, { id: retryId, accountId }, retry, entries)
  const { labels } = await withLabels(deps, { ...of, id: retryId, input, createdAtMs: startedAtMs, labels: undefined }, workflow)
  const inserted = await deps.store.continueFrom({ id: retryId, of, versionId, actor, input, labels, startedAtMs, entries, keys, events })
  return { kind: inserted === retryId ? 'started' : 'retried', id: inserted }
}

/**
 * Lifecycle events of the start of a retry and of the entries that it takes over. The run emits the events after those; it emits all of them
 * if there are no such entries.
 */
async function lifecycleEventsOf(
  { lifecycle, processor = ownProcessor }: Deps,
  execution: { readonly id: string; readonly accountId: string },
  { id, workflow, input, startedAtMs, secrets, runtime }: ReplayableExecution,
  entries: readonly JournalEntry[],
): Promise<readonly JsonObject[] | undefined> {
  const announcer = lifecycle && createAnnouncer({ ...execution, workflow }, lifecycle)
  if (announcer === undefined || entries.length === 0) return undefined
  announcer.enable()
  announcer.workflow('started', startedAtMs)
  const options = { secrets, runtime, observer: announcer.observer, turn: processor.turn }
  await walkInTurns(replay(workflow, { id, input, startedAtMs, entries }, options), { processor, accountId: execution.accountId })
  const mask = maskFor(secrets)
  return announcer.take().map((event) => mask?.object(event) ?? event)
}

/** Replays an execution and compares the result with the stored one. @returns undefined when the account has no such execution. */
export async function verifyExecution(
  deps: VerifyDeps,
  accountId: string,
  id: string,
  { isErased = false }: { readonly isErased?: boolean } = {},
): Promise<Verdict | undefined> {
  const record = await deps.store.findRecord(accountId, id)
  if (record === undefined) return undefined
  const { processor = ownProcessor } = deps
  return walkInTurns(verify({ ...record, ...(await loadReplayable(deps, record)), isErased }, processor.turn), { processor, accountId })
}

async function loadReplayable(
  deps: Pick<VerifyDeps, 'definitions' | 'secrets' | 'version' | 'publicId'>,
  { id, accountId, workflowId, trigger, versionId, input, startedAtMs }: ExecutionRecord,
): Promise<ReplayableExecution> {
  const workflow = await deps.definitions.load(accountId, versionId)
  const secrets = workflow.secrets.length === 0 ? {} : await deps.secrets.read(accountId, workflow.secrets, { workflowId, trigger })
  return {
    id: deps.publicId?.(id) ?? id,
    workflow,
    input,
    startedAtMs,
    secrets,
    runtime: { name: 'millrace', version: deps.version, metadata: {} },
  }
}
