import type { AnyOperation, HandledNames, OperationGroup, Received, Reply } from '@millrace/contract'
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

interface Prepared {
  readonly [prepare]?: (ctx: RequestContext, input: unknown) => Promise<void>
}

/**
 * Makes a handler of two steps. `before` does slow work without effects before the transaction begins, so that it occupies no connection. It also
 * runs, and its result is discarded, for a repetition with the same `Idempotency-Key`.
 */
export function withPreparation<O extends AnyOperation, P>(
  before: (ctx: RequestContext, input: Received<O>) => Promise<P>,
  handle: (ctx: RequestContext, input: Received<O>, prepared: P) => ReturnType<Handler<O>>,
): Handler<O> {
  const results = new WeakMap<RequestContext, { readonly value: P }>()
  const handler: Handler<O> = (ctx, input) => {
    const prepared = results.get(ctx)
    if (prepared === undefined) throw new Error('a handler was called without its preparation')
    return handle(ctx, input, prepared.value)
  }
  return Object.assign(handler, {
    [prepare]: async (ctx: RequestContext, input: Received<O>) => {
      results.set(ctx, { value: await before(ctx, input) })
    },
  })
}

/** The work of a handler before its transaction; most handlers have none. */
export function preparationOf(handler: object): (ctx: RequestContext, input: unknown) => Promise<void> {
  return (handler as Prepared)[prepare] ?? (async () => undefined)
}
