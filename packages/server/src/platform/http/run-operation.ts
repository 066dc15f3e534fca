import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { type AnyOperation, Fault, isAlias, opensTransaction } from '@millrace/contract'
import type { Tx } from '#platform/db/database.ts'
import type { Guards } from './guards.ts'
import type { Preparation } from './handler.ts'
import type { KeyUse } from './idempotency/idempotency.ts'
import { withIdempotency } from './idempotency/with-idempotency.ts'
import { rateSubject } from './rate-limit/rate-limit.ts'
import type { Context } from './request/context.ts'
import type { ParsedRequest } from './request/parse-request.ts'
import { DeferredResponse } from './response/respond.ts'
import { type HttpResponse, responseOf } from './response/response.ts'

/** One request of an operation, parsed and permitted. */
export interface OperationRequest {
  readonly op: AnyOperation
  readonly guards: Guards
  readonly ctx: Context
  readonly input: ParsedRequest
  /** Runs before any transaction begins. */
  readonly preparation: Preparation
  readonly handler: (ctx: Context, input: ParsedRequest) => Promise<unknown>
  readonly serialise: (value: unknown) => string
  readonly path: string
  /** Called only for requests with an `Idempotency-Key` that the kernel stores. */
  readonly fingerprint: () => Uint8Array
  readonly logError: (error: unknown) => void
}

/** Runs an operation: preparation, then handler, audit and idempotency in one transaction or none, then the effects after the commit. */
export async function runOperation(request: OperationRequest): Promise<HttpResponse> {
  const { guards, ctx, path } = request
  const use = keyUseOf(request)
  const open = <T>(fn: (tx: Tx | undefined) => Promise<T>) => inTransaction(request, fn)
  const perform = (tx: Tx | undefined) => performAudited(request, tx)
  await request.preparation.run(ctx, request.input, 1)
  const response =
    use === undefined
      ? await open(perform)
      : await withIdempotency({ store: guards.idempotency, use, requestId: ctx.requestId, path, open }, perform)
  // The request is committed: a failing effect is logged and does not change the response.
  const effects = await Promise.allSettled(ctx.takeEffects().map(async (effect) => effect()))
  for (const effect of effects) if (effect.status === 'rejected') request.logError(effect.reason)
  return response
}

const attemptsMax = 8

/**
 * Runs `fn` in the transaction of the request; without one for operations that open their own. A transaction that ends with a Fault after which the
 * preparation repeats is rolled back and tried again.
 */
async function inTransaction<T>(request: OperationRequest, fn: (tx: Tx | undefined) => Promise<T>): Promise<T> {
  const { op, guards, ctx, input, preparation } = request
  if (!opensTransaction(op)) return fn(undefined)
  for (let attempt = 1; ; attempt++) {
    try {
      return await guards.transaction(ctx.accountId, (tx) => {
        ctx.setTransaction(tx)
        return fn(tx)
      })
    } catch (error) {
      if (attempt === attemptsMax || !(error instanceof Fault) || preparation.repeatsAfter?.(error, input) !== true) throw error
    }
    // Those of the transaction that was rolled back.
    ctx.takeEffects()
    await preparation.run(ctx, input, attempt + 1)
  }
}

async function performAudited(request: OperationRequest, tx: Tx | undefined): Promise<HttpResponse> {
  const { op, guards, ctx, input, handler, serialise } = request
  const output = await handler(ctx, input)
  const audit = async () => {
    if (op.audit !== 'none') await guards.audit.record(tx, ctx, op.audit, ctx.auditDetails)
  }
  if (output instanceof DeferredResponse) {
    if (tx !== undefined) throw new Error(`${op.id} defers its response while its transaction is open.`)
    await audit()
    return responseOf(await output.produce(), serialise)
  }
  const response = responseOf(output, serialise)
  try {
    await audit()
  } catch (error) {
    // No client gets it.
    if (response.body instanceof Readable) response.body.destroy()
    throw error
  }
  return response
}

function keyUseOf({ op, ctx, fingerprint }: OperationRequest): KeyUse | undefined {
  if (op.idempotency === 'natural') return undefined
  const key = ctx.idempotencyKey
  if (key === undefined || op.idempotency !== 'keyed') return undefined
  const { principal } = ctx
  return {
    owner: principal === undefined ? `ip:${rateSubject(ctx.ip)}` : `user:${principal.userId}`,
    accountId: principal?.accountId,
    key,
    operation: isAlias(op) ? op.aliasOf : op.id,
    fingerprint: fingerprint(),
    claimId: randomUUID(),
  }
}
