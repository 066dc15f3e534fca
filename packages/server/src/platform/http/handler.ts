import type { AnyOperation, HandledNames, OperationGroup, Received, Reply } from '@millrace/contract'
import type { RequestContext } from './request/request-context.ts'
import type { DeferredResponse, ResponseWithHeaders } from './response/respond.ts'

/** Does one operation: from what was parsed to the value that is answered. */
export type Handler<O extends AnyOperation> = (
  ctx: RequestContext,
  input: Received<O>,
) => Promise<Reply<O> | ResponseWithHeaders<Reply<O>> | ResponseWithHeaders<never> | DeferredResponse<Reply<O>>>

/** One handler for every operation of a group; aliases share that of their target. */
export type HandlersFor<G extends OperationGroup> = { readonly [K in HandledNames<G>]: Handler<G[K]> }

const prepare = Symbol('prepare')

interface Prepared {
  readonly [prepare]?: (ctx: RequestContext, input: unknown) => Promise<void>
}

/**
 * A handler of two steps: what takes long and changes nothing is done before the transaction begins, so that it holds no connection meanwhile. What a
 * retry with the same `Idempotency-Key` prepares is not used.
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

/** What a handler does before its transaction; nothing for most. */
export function preparationOf(handler: object): (ctx: RequestContext, input: unknown) => Promise<void> {
  return (handler as Prepared)[prepare] ?? (async () => undefined)
}
