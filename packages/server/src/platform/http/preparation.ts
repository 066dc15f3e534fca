import type { AnyOperation, Received } from '@millrace/contract'
import type { Handler } from './handler.ts'
import type { RequestContext } from './request-context.ts'

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
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Only `withPreparation` knows the symbol.
  return (handler as Prepared)[prepare] ?? (async () => undefined)
}
