import { hash } from 'node:crypto'
import { standardError, WorkflowError } from '#core/error.ts'
import { errorFromMessage } from '#core/error-message.ts'
import { completeEvent } from '#core/event.ts'
import { isObject, type Json, type JsonObject } from '#core/json.ts'
import type { ChildRequest, EffectRequest, EmitRequest, Failure, MessageRequest, Outcome } from '#core/request.ts'
import type { ExecutionInfo } from '#core/scope.ts'
import { withLabelsOfVersion } from './labels.ts'
import { withMaskedOutcomes } from './masked-function.ts'
import type { Definitions } from '#durable/ports/definitions.ts'
import type { EffectFunction } from '#durable/ports/effects.ts'
import type { ExecutionHead } from '#durable/ports/execution.ts'
import type { Processor } from '#durable/ports/processor.ts'
import type { Receiver, Reception } from '#durable/ports/reception.ts'
import type { Reporter } from '#durable/ports/reporter.ts'
import { maskFor } from '#core/secret-mask.ts'

/** Maximum depth of child executions; it ends a workflow that runs itself. */
const DEPTH_MAX = 64

/** Performs the requests of runs; never rejects: an error is an outcome. */
export interface Performer {
  perform(head: ExecutionHead, request: EffectRequest, signal: AbortSignal): Promise<Outcome>
  prepareChild(head: ExecutionHead, request: ChildRequest): Promise<PreparedChild | Failure>
  /** The outcome of a wait or a child as the execution gets it; `undefined` if nothing examines it. */
  receive(head: ExecutionHead, request: MessageRequest | ChildRequest, outcome: Outcome): Promise<Outcome> | undefined
  /** Adds the required attributes to an event. The id is the same in every walk of the execution. */
  completeEvent(head: ExecutionHead, request: EmitRequest, execution: ExecutionInfo, atMs: number): JsonObject
  /** Starts a child that is in the database and claimed by this process. */
  childAccepted(child: ExecutionHead, startedAtMs: number): void
}

export interface PreparedChild {
  readonly ok: true
  readonly head: ExecutionHead
  /** When it begins, if this process has room for it; otherwise it is queued. */
  readonly startedAtMs: number | undefined
}

export interface PerformerDeps {
  readonly functions: Pick<ReadonlyMap<string, EffectFunction>, 'get'>
  readonly definitions: Definitions
  readonly processor?: Processor
  readonly reception?: Reception | undefined
  readonly reporter: Reporter
  readonly now: () => number
  readonly newId: () => string
  readonly publicId?: (executionId: string) => string
  readonly hasRoom: () => boolean
  readonly childAccepted: (child: ExecutionHead, startedAtMs: number) => void
}

export function createPerformer(deps: PerformerDeps): Performer {
  const { publicId = (id) => id, reception } = deps
  return {
    async perform(head, request, signal) {
      const perform = deps.functions.get(request.function)
      if (perform === undefined) return fault(standardError('configuration', `this installation has no function "${request.function}"`))
      try {
        const value = await withMaskedOutcomes(perform)({
          accountId: head.accountId,
          executionId: head.id,
          workflowId: head.workflowId,
          trigger: head.trigger,
          depth: head.depth,
          arguments: request.arguments,
          input: request.input,
          secrets: request.strand.execution.secrets,
          idempotencyKey: head.keys?.[request.position] ?? idempotencyKey(publicId(head.id), request.position),
          signal,
          position: request.position,
        })
        return { ok: true, value }
      } catch (error) {
        if (error instanceof WorkflowError) return fault(error)
        // The outcome of a stopped effect is ignored.
        if (!signal.aborted)
          deps.reporter.warn('function threw an unexpected error', {
            function: request.function,
            executionId: head.id,
            error,
          })
        return fault(standardError('runtime', `the function "${request.function}" failed`))
      }
    },

    async prepareChild(head, request) {
      const { namespace, name, version } = request
      if (head.depth >= DEPTH_MAX) return fault(standardError('runtime', `workflows run workflows more than ${DEPTH_MAX} levels deep`))
      try {
        const resolved = await deps.definitions.resolve(head.accountId, { namespace, name, version })
        if (resolved === undefined) {
          return fault(standardError('configuration', `there is no published workflow "${namespace}/${name}" in version "${version}"`))
        }
        const child = maskedChild(request)
        const id = deps.newId()
        const receiver = { accountId: head.accountId, executionId: id, workflowId: resolved.workflowId }
        const input = (await reception?.passInput(receiverOf(head), receiver, child.input)) ?? child.input
        const accepted = childHead(deps, head, { ...child, id, input }, resolved)
        return {
          ok: true,
          head: await withLabelsOfVersion(deps, accepted),
          startedAtMs: deps.hasRoom() ? deps.now() : undefined,
        }
      } catch (error) {
        if (error instanceof WorkflowError) return fault(error)
        deps.reporter.warn('failed to look up a workflow', { executionId: head.id, error })
        return fault(standardError('runtime', `the workflow "${namespace}/${name}" could not be looked up`))
      }
    },
    receive(head, request, outcome) {
      if (request.kind === 'child') return request.await ? reception?.receive(receiverOf(head), 'workflow', outcome) : undefined
      // The errors of waits are made from the definition and the event filters.
      if (outcome.ok && errorFromMessage(outcome.value) !== undefined) return undefined
      return reception?.receive(receiverOf(head), request.wait.topic, outcome)
    },
    completeEvent(head, request, { definition }, atMs) {
      const source = sourceOf(definition)
      return completeEvent(request.event, {
        id: idempotencyKey(publicId(head.id), request.position),
        source,
        time: new Date(atMs).toISOString(),
      })
    },
    childAccepted: deps.childAccepted,
  }
}

function childHead(
  deps: PerformerDeps,
  parent: ExecutionHead,
  request: ChildRequest & { readonly id: string },
  resolved: { readonly workflowId: string; readonly versionId: string },
): ExecutionHead {
  return {
    id: request.id,
    accountId: parent.accountId,
    workflowId: resolved.workflowId,
    versionId: resolved.versionId,
    // What a test starts is part of it.
    trigger: parent.trigger === 'test' ? 'test' : 'workflow',
    actor: `execution:${parent.id}`,
    input: request.input,
    parentId: request.await ? parent.id : undefined,
    depth: parent.depth + 1,
    causedBy: parent.causedBy,
    createdAtMs: deps.now(),
    idempotency: undefined,
  }
}

function receiverOf({ id, accountId, workflowId }: ExecutionHead): Receiver {
  return { accountId, executionId: id, workflowId }
}

/** The default source of an event: its workflow. */
function sourceOf(definition: Json): string {
  const document = isObject(definition) && definition.document !== undefined && isObject(definition.document) ? definition.document : {}
  return ['', document.namespace, document.name, document.version]
    .map((part) => (typeof part === 'string' ? encodeURIComponent(part) : ''))
    .join('/')
}

/** Masks the secrets of the parent in the input of a child, which is stored. */
function maskedChild(request: ChildRequest): ChildRequest {
  const mask = maskFor(request.strand.execution.secrets)
  return mask === undefined ? request : { ...request, input: mask.json(request.input) }
}

/** The public id of the execution and a digest of the position, whose names may contain characters that headers do not allow. */
export function idempotencyKey(executionId: string, position: string): string {
  return `${executionId}-${hash('sha256', position, 'hex').slice(0, 24)}`
}

function fault({ data, retryAfterMs }: WorkflowError): Failure {
  return { ok: false, error: data, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) }
}
