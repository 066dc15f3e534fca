import type { Pool } from 'pg'
import type { CompiledWorkflow } from '#core/node.ts'
import { readRecord } from '#postgres/journal/execution-record.ts'
import type { FiredTimer } from './observations.ts'
import { crashVersion } from './open-ledger-verifier.ts'
import { createReplay } from '#testing/walks.ts'

/** Reads when each journalled timer was due and when it fired. A walk over the journal computes the due time again. */
export async function readTimers(
  pool: Pool,
  workflows: ReadonlyMap<string, CompiledWorkflow>,
  executions: readonly { readonly accountId: string; readonly id: string }[],
): Promise<readonly FiredTimer[]> {
  const fired: FiredTimer[] = []
  for (const { accountId, id } of executions) {
    const record = await readRecord(pool, accountId, id)
    const workflow = record === undefined ? undefined : workflows.get(record.versionId)
    if (record === undefined || workflow === undefined) continue
    const walk = createReplay(workflow, record, {}, { name: 'millrace', version: crashVersion, metadata: {} })
    for (const entry of record.entries) {
      const request = entry.kind === 'timer' ? walk.machine.pending.get(entry.position)?.request : undefined
      // Timers taken over from a dead letter were due in the old execution.
      if (request?.kind === 'timer' && entry.endedAtMs >= record.startedAtMs)
        fired.push({ executionId: id, position: entry.position, dueAtMs: request.dueAtMs, firedAtMs: entry.endedAtMs })
      walk.deliver(entry)
    }
  }
  return fired
}
