import type { AnyOperation, Fault, HandledNames, OperationGroup, Received, Reply } from '@millrace/contract'
import type { RequestContext } from './request/request-context.ts'
import type { DeferredResponse, ResponseWithHeaders } from './response/respond.ts'

/** Performs one operation: takes the parsed request and returns the value of the response. */
export type Handler<O extends AnyOperation> = (
  ctx: RequestContext,
  input: Received<O>,
) => Promise<Reply<O> | ResponseWithHeaders<Reply<O>> | ResponseWithHeaders<never> | DeferredResponse<Reply<O>>>

/** One handler for every operation of a group; an alias uses the handler of its target. */
export type HandlersFor<G extends OperationGroup> = { readonly [K in HandledNames<G>]: Handler<G[K]> }

const prepare = Symbol('prepare')

/** The work of a handler before its transaction. */
export interface Preparation {
  /** @param attempt from 1 on. */
  readonly run: (ctx: RequestContext, input: unknown, attempt: number) => Promise<void>
  /** Whether a request whose transaction ended with this Fault is prepared and performed again. */
  readonly repeatsAfter?: ((fault: Fault, input: unknown) => boolean) | undefined
}

interface Prepared {
  readonly [prepare]?: Preparation
}

/**
 * Makes a handler of two steps. `before` does slow work without effects before the transaction begins, so that it occupies no connection. It also
 * runs, and its result is discarded, for a repetition with the same `Idempotency-Key`. Both steps are repeated, a few times, after a Fault of
 * `handle` for which `repeatsAfter` returns true, such as one that says that another request was faster.
 */
export function withPreparation<O extends AnyOperation, P>(
  before: (ctx: RequestContext, input: Received<O>, attempt: number) => Promise<P>,
  handle: (ctx: RequestContext, input: Received<O>, prepared: P) => ReturnType<Handler<O>>,
  repeatsAfter?: (fault: Fault, input: Received<O>) => boolean,
): Handler<O> {
  const results = new WeakMap<RequestContext, { readonly value: P }>()
  const handler: Handler<O> = (ctx, input) => {
    const prepared = results.get(ctx)
    if (prepared === undefined) throw new Error('a handler was called without its preparation')
    return handle(ctx, input, prepared.value)
  }
  const run = async (ctx: RequestContext, input: Received<O>, attempt: number) => {
    results.set(ctx, { value: await before(ctx, input, attempt) })
  }
  return Object.assign(handler, { [prepare]: { run, repeatsAfter } })
}

/** The preparation of a handler; most handlers have none. */
export function preparationOf(handler: object): Preparation {
  return (handler as Prepared)[prepare] ?? { run: async () => undefined }
}
