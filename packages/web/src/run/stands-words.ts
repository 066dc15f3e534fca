import type { groups, Reply } from '@millrace/contract'
import { verdictOf } from '#src/approvals/verdict-of.ts'
import { m } from '#src/messages/messages.ts'
import { waitWords } from '#src/run/wait-words.ts'

type Run = Reply<(typeof groups)['workflows']['executions']>['data'][number]

/** What a run waits for, if it waits. */
export function waitOf({ awaitsTurn, waitsFor }: Run): string | undefined {
  if (awaitsTurn) return m.runs.awaitsTurn
  return waitsFor === undefined ? undefined : waitWords(waitsFor)
}

/** What a run waits for, or else what came of its approvals, in a few words; empty where there is nothing to say. */
export function standsWords(run: Run): string {
  const wait = waitOf(run)
  if (wait !== undefined) return wait
  const verdict = verdictOf(run)
  if (verdict !== undefined) return m.approvals.verdicts[verdict]('')
  return run.lapsedApproval === undefined ? '' : m.approvals.noDecision
}
