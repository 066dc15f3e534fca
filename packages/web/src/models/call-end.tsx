import type { ModelCall } from '#src/models/call-texts.tsx'
import { m } from '#src/messages/messages.ts'

/** How a call ended: how its answer did, or why it failed. */
export function CallEnd({ call: { failure, finish } }: { readonly call: Pick<ModelCall, 'failure' | 'finish'> }) {
  const u = m.modelUse
  if (failure !== null) return <span className="t12 c-bad">{`${u.states.failed}: ${u.failures[failure]}`}</span>
  if (finish === null) return <span className="i2">{m.common.none}</span>
  return <span className={finish === 'length' || finish === 'refused' ? 't12 c-bad' : 't12 i2'}>{u.finishes[finish]}</span>
}
