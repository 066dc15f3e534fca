import { type ChangeKind, changeKinds, type changes, Fault, type Scope } from '@millrace/contract'
import { eventStreamHeaders, type HandlersFor, respondStream } from '#platform/http/index.ts'
import type { createChangeStreams } from './change-stream.ts'
import { scopeOfKind } from './model.ts'

/** Handlers of the group `changes`. */
export function changeHandlers(streams: ReturnType<typeof createChangeStreams>): HandlersFor<typeof changes> {
  return {
    async stream(ctx, { query }) {
      const { seconds } = query
      const kinds = kindsFor(ctx.scopes, query.kinds)
      const lastEventId = ctx.lastEventId ?? query.lastEventId
      const stream = await streams.open(ctx, { userId: ctx.userId, kinds, lastEventId, seconds })
      return respondStream(stream, { headers: eventStreamHeaders })
    },
  }
}

function kindsFor(scopes: ReadonlySet<Scope>, wanted: readonly ChangeKind[] | undefined): readonly ChangeKind[] {
  if (wanted === undefined) return changeKinds.filter((kind) => scopes.has(scopeOfKind(kind)))
  for (const kind of wanted) {
    const scope = scopeOfKind(kind)
    if (!scopes.has(scope))
      throw new Fault('insufficient_scope', { detail: `The credential lacks the scope ${scope} that events ${kind} need.` })
  }
  return wanted
}
