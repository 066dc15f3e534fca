import { createHash } from 'node:crypto'
import { type ErrorCode, Fault, type InvalidPart } from '@millrace/contract'
import { type Engine, IdempotencyConflict, type Json, type SchemaFault, type Started } from '@millrace/engine'
import type { TriggerKind } from '@millrace/engine/storage'
import { toTypeId } from '#platform/ids.ts'
import { causedDepth } from '#platform/net/depth.ts'

/** What started an execution. */
export interface Origin {
  readonly kind: 'api' | Exclude<TriggerKind, 'workflow'>
  /** The actor as `kind:id`: the caller, or what started it without one, such as `trigger:<uuid>` or `chain:<uuid>`. */
  readonly id: string
}

/** An execution to be started. */
export interface StartCommand {
  readonly accountId: string
  readonly workflowId: string
  /** Number of a published version; the latest unless given. */
  readonly version: number | undefined
  readonly input: Json
  /** The input is what a privacy policy has left: it was admitted and stored before. */
  readonly isAdmitted?: boolean
  readonly origin: Origin
  /** How many executions caused it, one after the other; unless given, what the request says that asks for it. */
  readonly depth?: number
  /** The execution whose end starts it. */
  readonly causedBy?: string | undefined
  readonly idempotencyKey: IdempotencyKey | undefined
}

/** The caller's name for one start, by which its repetition gets the same execution. */
export interface IdempotencyKey {
  /** Unique within the account. */
  readonly value: string
  /** Id of the operation: a repetition by another operation is refused. */
  readonly operation: string
  /** The cause is the same whatever the input, which is made anew for a repetition. */
  readonly ignoresInput?: boolean
}

/** A workflow as a start needs it. */
export interface StartTarget {
  /** Of a run of an agent: it is started as such a run only. */
  readonly isOfAgent?: boolean
  readonly enabled: boolean
  readonly published: boolean
  /** Undefined when the workflow has no such version. */
  readonly version: { readonly id: string; readonly number: number; readonly checksInput: boolean } | undefined
}

export interface StartDeps {
  readonly engine: Pick<Engine, 'start'>
  /** Undefined when the account has no such workflow. */
  readonly findTarget: (key: {
    readonly accountId: string
    readonly workflowId: string
    readonly number: number | undefined
  }) => Promise<StartTarget | undefined>
  /** Applies the privacy policy of the workflow to the input, and returns the input to start with. Fault `personal_data_blocked`. */
  readonly admitInput: (start: {
    readonly accountId: string
    readonly workflowId: string
    readonly input: Json
    readonly actor: string
    readonly target: string
  }) => Promise<Json>
  readonly newId: () => string
  /** Starts the execution unless the account has used up what its plan allows, and the version would use more of it: Fault `quota_exceeded`. */
  readonly withinQuota: <T>(accountId: string, versionId: string, start: () => Promise<T>) => Promise<T>
  readonly inputFaults: (accountId: string, versionId: string, input: Json) => Promise<readonly SchemaFault[]>
  /** The execution that was started with an idempotency key. */
  readonly findByKey: (accountId: string, key: string) => Promise<{ readonly id: string; readonly digest: string | null } | undefined>
}

/** An execution that was started, now or by an earlier request with the same key. */
export type StartedExecution =
  | (Extract<Started, { readonly replayed: false }> & { readonly version: number; readonly trigger: TriggerKind })
  | Extract<Started, { readonly replayed: true }>

/** The only way to start an execution. */
export type Start = (
  /** The engine commits starts in groups, in transactions of its own; no caller needs a start in its own transaction yet. */
  tx: undefined,
  command: StartCommand,
) => Promise<StartedExecution>

/** Whether a start failed because of the server; the same start may succeed soon. */
export function isOfServer(code: ErrorCode): boolean {
  return code === 'overloaded' || code === 'database_unavailable'
}

/**
 * Accepts an execution durably. It writes no audit row: the row of the execution is the record of its start.
 *
 * Faults: `not_found`, `workflow_disabled`, `workflow_not_published`, `input_invalid`, `personal_data_blocked`, `idempotency_key_reused`.
 */
export function createStart(deps: StartDeps): Start {
  return async (_tx, command) => {
    const { accountId, workflowId, origin, input, isAdmitted = false, depth = causedDepth(), causedBy } = command
    const idempotency = idempotencyOf(command)
    try {
      const version = await versionToStart(deps, command)
      const id = deps.newId()
      // A replayed request logs its decision too, under an execution id that is never used.
      const target = `execution:${toTypeId('exec', id)}`
      const admitted = isAdmitted ? input : await deps.admitInput({ accountId, workflowId, input, actor: origin.id, target })
      const trigger: TriggerKind = origin.kind === 'api' ? 'manual' : origin.kind
      const request = { id, accountId, workflowId, versionId: version.id, trigger, actor: origin.id, input: admitted, depth, causedBy }
      const start = () => deps.engine.start(idempotency === undefined ? request : { ...request, idempotency })
      const started = await deps.withinQuota(accountId, version.id, start)
      return started.replayed ? started : { ...started, version: version.number, trigger }
    } catch (error) {
      if (error instanceof IdempotencyConflict) throw new Fault('idempotency_key_reused', { cause: error })
      // A repetition gets the execution of the first request, whatever has happened to the workflow since.
      const earlier = idempotency !== undefined && error instanceof Fault ? await deps.findByKey(accountId, idempotency.key) : undefined
      if (earlier === undefined) throw error
      if (earlier.digest !== idempotency?.digest) throw new Fault('idempotency_key_reused', { cause: error })
      return { id: earlier.id, replayed: true }
    }
  }
}

async function versionToStart(
  deps: StartDeps,
  { accountId, workflowId, version: number, input, origin }: StartCommand,
): Promise<NonNullable<StartTarget['version']>> {
  const target = await deps.findTarget({ accountId, workflowId, number })
  if (target === undefined) throw new Fault('not_found', { detail: 'There is no such workflow.' })
  const { version } = target
  // A test runs a version that was made for it.
  // Its input has the limits of the run, which the service of agents sets.
  if (target.isOfAgent && origin.kind !== 'agent') throw new Fault('not_found', { detail: 'There is no such workflow.' })
  if (!target.enabled && origin.kind !== 'test') throw new Fault('workflow_disabled')
  if (!target.published && version === undefined) throw new Fault('workflow_not_published')
  if (version === undefined) throw new Fault('not_found', { detail: `The workflow has no version ${number}.` })
  await assertInput(deps, accountId, version, input)
  return version
}

/** Fault `input_invalid` for an input that does not match the input schema of the version. */
export async function assertInput(
  deps: Pick<StartDeps, 'inputFaults'>,
  accountId: string,
  version: { readonly id: string; readonly checksInput: boolean },
  input: Json,
): Promise<void> {
  if (version.checksInput) refuseInput(await deps.inputFaults(accountId, version.id, input))
}

/** Fault `input_invalid` for an input that the latest version of a workflow refuses. Whatever else prevents a start shows when it starts. */
export async function assertFutureInput(
  deps: Pick<StartDeps, 'findTarget' | 'inputFaults'>,
  accountId: string,
  workflowId: string,
  input: Json,
): Promise<void> {
  const target = await deps.findTarget({ accountId, workflowId, number: undefined })
  if (target?.version !== undefined) await assertInput(deps, accountId, target.version, input)
}

/** Fault `input_invalid` if there are faults in the member `input` of a request. */
export function refuseInput(faults: readonly SchemaFault[]): void {
  if (faults.length > 0) throw new Fault('input_invalid', { errors: partsOf(faults) })
}

const partsMax = 100

/** The invalid values as parts of the request. An object is left out where a member of it is named, which says more. */
function partsOf(faults: readonly SchemaFault[]): InvalidPart[] {
  const pointers = faults.map(({ pointer }) => pointer)
  const innermost = faults.filter(({ pointer }) => !pointers.some((other) => other.startsWith(`${pointer}/`)))
  return innermost.slice(0, partsMax).map(({ pointer, detail }) => ({ pointer: `/input${pointer}`, detail }))
}

function idempotencyOf(command: StartCommand): { readonly key: string; readonly digest: string } | undefined {
  const { idempotencyKey, workflowId, version, input } = command
  if (idempotencyKey === undefined) return undefined
  const digest = createHash('sha256')
    .update(JSON.stringify([idempotencyKey.operation, workflowId, version ?? null, idempotencyKey.ignoresInput === true ? null : input]))
    .digest('hex')
  return { key: idempotencyKey.value, digest }
}
