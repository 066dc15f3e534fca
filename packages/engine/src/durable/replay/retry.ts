import { isTerminal } from '#core/execution-state.ts'
import type { Json, JsonObject } from '#core/json.ts'
import { createAnnouncer } from '#durable/lifecycle-events.ts'
import { carryOver, type Walkable } from './carry-over.ts'
import type { EngineDeps } from '#durable/process/engine-deps.ts'
import { inheritedKeys } from './inherited-keys.ts'
import { idempotencyKey } from '#durable/run/performer.ts'
import type { JournalEntry } from '#durable/ports/journal.ts'
import type { ExecutionRecord } from '#durable/ports/store.ts'
import { walkInTurns } from './interruptible.ts'
import { ownProcessor } from '#durable/ports/processor.ts'
import { replay } from './replay.ts'
import { maskFor } from '#core/secret-mask.ts'
import { type Verdict, verify } from './verify.ts'

export interface RetryRequest {
  /** Who wants it, as `kind:id`. */
  readonly actor: string
  /** In place of the input that it had. */
  readonly input?: Json
  /** In place of the version that it ran. */
  readonly versionId?: string
}

export type RetryResult =
  | { readonly kind: 'started'; readonly id: string }
  | { readonly kind: 'unknown' | 'not_ended' | 'completed' }
  /** Somebody has retried it before; what goes on from it is `id`. */
  | { readonly kind: 'retried'; readonly id: string }

type VerifyDeps = Pick<EngineDeps, 'processor' | 'secrets' | 'version' | 'publicId'> & {
  readonly store: Pick<EngineDeps['store'], 'findRecord'>
  readonly definitions: Pick<EngineDeps['definitions'], 'load'>
}

type Deps = Pick<EngineDeps, 'processor' | 'lifecycle' | 'store' | 'definitions' | 'secrets' | 'now' | 'newId' | 'version' | 'publicId'>

/**
 * Goes on from where an execution failed or was cancelled, in a new execution: the ended one stays as it was, for those who look into it.
 * What it has done is taken over and not done again.
 */
export async function retryExecution(deps: Deps, accountId: string, id: string, request: RetryRequest): Promise<RetryResult> {
  const record = await deps.store.findRecord(accountId, id)
  if (record === undefined) return { kind: 'unknown' }
  if (record.state === 'completed') return { kind: 'completed' }
  if (!isTerminal(record.state)) return { kind: 'not_ended' }
  const old = await walkable(deps, record)
  const versionId = request.versionId ?? record.versionId
  const workflow = versionId === record.versionId ? old.workflow : await deps.definitions.load(accountId, versionId)
  const secrets = await deps.secrets.read(accountId, workflow.secrets)
  const input = request.input === undefined ? record.input : request.input
  const startedAtMs = deps.now()
  const freshId = deps.newId()
  const fresh = { ...old, id: deps.publicId?.(freshId) ?? freshId, workflow, secrets, input, startedAtMs }
  const walked = { ...old, entries: record.entries }
  const { processor = ownProcessor } = deps
  const inTurns = { processor, accountId }
  const entries = await walkInTurns(carryOver(walked, fresh, processor.turn), inTurns)
  const keyOf = (position: string) => record.keys?.[position] ?? idempotencyKey(old.id, position)
  const keys = await walkInTurns(inheritedKeys(walked, { ...fresh, entries }, keyOf, processor.turn), inTurns)
  const { actor } = request
  const events = await tellCarried(deps, { id: freshId, accountId }, fresh, entries)
  const inserted = await deps.store.continueFrom({ id: freshId, of: record, versionId, actor, input, startedAtMs, entries, keys, events })
  return { kind: inserted === freshId ? 'started' : 'retried', id: inserted }
}

/** What is told of all that a new execution takes over: that it has started, and what was done. Who runs it tells what comes after; all of it, where nothing was taken over. */
async function tellCarried(
  { lifecycle, processor = ownProcessor }: Deps,
  execution: { readonly id: string; readonly accountId: string },
  { id, workflow, input, startedAtMs, secrets, runtime }: Walkable,
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

/** Walks an execution again over its journal. @returns undefined when the account has none such. */
export async function verifyExecution(deps: VerifyDeps, accountId: string, id: string): Promise<Verdict | undefined> {
  const record = await deps.store.findRecord(accountId, id)
  if (record === undefined) return undefined
  const { processor = ownProcessor } = deps
  return walkInTurns(verify({ ...record, ...(await walkable(deps, record)) }, processor.turn), { processor, accountId })
}

async function walkable(
  deps: Pick<VerifyDeps, 'definitions' | 'secrets' | 'version' | 'publicId'>,
  { id, accountId, versionId, input, startedAtMs }: ExecutionRecord,
): Promise<Walkable> {
  const workflow = await deps.definitions.load(accountId, versionId)
  const secrets = workflow.secrets.length === 0 ? {} : await deps.secrets.read(accountId, workflow.secrets)
  return {
    id: deps.publicId?.(id) ?? id,
    workflow,
    input,
    startedAtMs,
    secrets,
    runtime: { name: 'millrace', version: deps.version, metadata: {} },
  }
}
