import type { groups, Reply } from '@millrace/contract'
import { m } from '#src/messages/messages.ts'
import { Badge, StateMark } from '#src/ui/badge.tsx'

export type AgentRun = Reply<(typeof groups)['agent']['runs']>['data'][number]

/** How a run ended, or its state while it has not. */
export function OutcomeMark({ run: { outcome, state } }: { readonly run: Pick<AgentRun, 'outcome' | 'state'> }) {
  if (outcome === null || outcome === 'faulted' || outcome === 'cancelled') return <StateMark state={state} />
  return <Badge tone={outcome === 'answered' ? 'ok' : 'wait'}>{m.agents.outcomes[outcome]}</Badge>
}
