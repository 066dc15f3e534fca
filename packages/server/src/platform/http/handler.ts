import type { AnyOperation, HandledNames, OperationGroup, Received, Reply } from '@millrace/contract'
import type { RequestContext } from './request-context.ts'
import type { Later, Respond } from './respond.ts'

/** Does one operation: from what was parsed to the value that is answered. */
export type Handler<O extends AnyOperation> = (
  ctx: RequestContext,
  input: Received<O>,
) => Promise<Reply<O> | Respond<Reply<O>> | Respond<never> | Later<Reply<O>>>

/** One handler for every operation of a group; aliases share that of their target. */
export type HandlersFor<G extends OperationGroup> = { readonly [K in HandledNames<G>]: Handler<G[K]> }
