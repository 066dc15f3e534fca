import { createHash } from 'node:crypto'
import { Fault, type InvalidPart } from '@millrace/contract'
import { type Engine, IdempotencyConflict, type Json, type SchemaFault, type Started } from '@millrace/engine'

/** What is to be started, by whom. */
export interface StartCommand {
  /** Id of the operation: a key that was used with another one is used up. */
  readonly operation: string
  readonly workflowId: string
  /** The latest version unless given. */
  readonly number: number | undefined
  readonly input: Json
  /** As `kind:id`. */
  readonly actor: string
  readonly userId: string
  readonly idempotencyKey: string | undefined
}

/** What a start asks of the workflow; see the port's implementation for its meaning. */
interface StartTarget {
  readonly enabled: boolean
  readonly published: boolean
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
  readonly inputFaults: (accountId: string, versionId: string, input: Json) => Promise<readonly SchemaFault[]>
  /** The execution that was started with an idempotency key. */
  readonly findByKey: (accountId: string, key: string) => Promise<{ readonly id: string; readonly digest: string | null } | undefined>
}

/**
 * Accepts an execution durably; no transaction and no audit row: the row of the execution is the record of its start.
 *
 * Faults: `not_found`, `workflow_disabled`, `workflow_not_published`, `input_invalid`, `idempotency_key_reused`.
 */
export function createStart(deps: StartDeps): (accountId: string, command: StartCommand) => Promise<Started> {
  return async (accountId, command) => {
    const idempotency = idempotencyOf(command)
    try {
      const versionId = await versionToStart(deps, accountId, command)
      const { workflowId, actor, input } = command
      const request = { accountId, workflowId, versionId, trigger: 'manual', actor, input }
      return await deps.engine.start(idempotency === undefined ? request : { ...request, idempotency })
    } catch (error) {
      if (error instanceof IdempotencyConflict) throw new Fault('idempotency_key_reused', { cause: error })
      // What was started before stays started, whatever has become of the workflow since.
      const earlier = idempotency !== undefined && error instanceof Fault ? await deps.findByKey(accountId, idempotency.key) : undefined
      if (earlier === undefined) throw error
      if (earlier.digest !== idempotency?.digest) throw new Fault('idempotency_key_reused', { cause: error })
      return { id: earlier.id, replayed: true }
    }
  }
}

async function versionToStart(deps: StartDeps, accountId: string, { workflowId, number, input }: StartCommand): Promise<string> {
  const target = await deps.findTarget({ accountId, workflowId, number })
  if (target === undefined) throw new Fault('not_found', { detail: 'There is no such workflow.' })
  if (!target.enabled) throw new Fault('workflow_disabled')
  if (!target.published) throw new Fault('workflow_not_published')
  const { version } = target
  if (version === undefined) throw new Fault('not_found', { detail: `The workflow has no version ${number}.` })
  await assertInput(deps, accountId, version, input)
  return version.id
}

/** Fault `input_invalid` for an input that the schema of the version does not take. */
export async function assertInput(
  deps: Pick<StartDeps, 'inputFaults'>,
  accountId: string,
  version: { readonly id: string; readonly checksInput: boolean },
  input: Json,
): Promise<void> {
  if (!version.checksInput) return
  const faults = await deps.inputFaults(accountId, version.id, input)
  if (faults.length > 0) throw new Fault('input_invalid', { errors: partsOf(faults) })
}

const partsMax = 100

/** The places that do not fit, as parts of the request. A place that holds another one says nothing that the inner one does not say better. */
function partsOf(faults: readonly SchemaFault[]): InvalidPart[] {
  const pointers = faults.map(({ pointer }) => pointer)
  const innermost = faults.filter(({ pointer }) => !pointers.some((other) => other.startsWith(`${pointer}/`)))
  return innermost.slice(0, partsMax).map(({ pointer, detail }) => ({ pointer: `/input${pointer}`, detail }))
}

function idempotencyOf(command: StartCommand): { readonly key: string; readonly digest: string } | undefined {
  const { idempotencyKey, userId, operation, workflowId, number, input } = command
  if (idempotencyKey === undefined) return undefined
  const digest = createHash('sha256')
    .update(JSON.stringify([operation, workflowId, number ?? null, input]))
    .digest('hex')
  // The row is unique by account and key; a key belongs to the user who chose it.
  return { key: `${userId}:${idempotencyKey}`, digest }
}
