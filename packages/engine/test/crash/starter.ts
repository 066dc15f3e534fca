import type { GeneratedWorkflows } from './generate-workflows.ts'
import type { RecordedStart } from './observations.ts'
import type { Random } from './random.ts'
import type { RunningWorker } from './worker-pool.ts'
import type { WorkerLine } from './worker-lines.ts'

/** The share of acknowledged starts that are repeated, as by a caller whose connection broke. */
const REPEATED_SHARE = 0.03

interface Start extends RecordedStart {
  readonly accountId: string
  readonly acknowledged: Set<string>
}

/** Starts executions and records their acknowledgements. */
export interface Starter {
  /** Sends the next start, or one whose response was lost, to a process. */
  startNext(worker: RunningWorker): void
  hear(worker: RunningWorker, line: WorkerLine): void
  /** Repeats the unacknowledged starts of a dead process at another one. */
  lost(worker: RunningWorker): void
  readonly starts: readonly Start[]
  /** Number of starts without acknowledgement, including those to be repeated. */
  pending(): number
  /** Whether starts remain to be sent. */
  more(): boolean
  /** Number of starts to be repeated. */
  lostCount(): number
  /** Number of starts repeated because their response was lost. */
  readonly repeated: number
}

export interface StarterDeps {
  readonly count: number
  readonly random: Random
  readonly workflows: GeneratedWorkflows
  readonly accountIds: readonly [string, ...string[]]
  readonly ledgerUrl: string
}

export function createStarter({ count, random, workflows, accountIds, ledgerUrl }: StarterDeps): Starter {
  const starts: Start[] = []
  const toRepeat: number[] = []
  const unacknowledged = new Map<number, RunningWorker>()
  let repeated = 0

  function next(): Start | undefined {
    const token = toRepeat.shift()
    if (token !== undefined) return starts[token]
    if (starts.length >= count) return undefined
    const { versionId } = random.pick(workflows.main)
    const start: Start = {
      token: starts.length,
      versionId,
      n: random.int(0, 999),
      accountId: random.pick(accountIds),
      acknowledged: new Set(),
    }
    starts.push(start)
    return start
  }

  return {
    starts,
    get repeated() {
      return repeated
    },
    startNext(worker) {
      const start = next()
      if (start === undefined) return
      const { token, versionId, n, accountId } = start
      unacknowledged.set(token, worker)
      worker.send({ do: 'start', token, accountId, versionId, input: { ledger: ledgerUrl, n, ref: `start-${token}` } })
    },
    hear(worker, line) {
      if (line.say !== 'acknowledged' && line.say !== 'refused') return
      if (unacknowledged.get(line.token) === worker) unacknowledged.delete(line.token)
      if (line.say === 'refused') {
        toRepeat.push(line.token)
        repeated += 1
        return
      }
      const acknowledged = starts[line.token]?.acknowledged
      if (acknowledged?.size === 0 && random.chance(REPEATED_SHARE)) toRepeat.push(line.token)
      acknowledged?.add(line.id)
    },
    lost(worker) {
      for (const [token, sentTo] of unacknowledged) {
        if (sentTo !== worker) continue
        unacknowledged.delete(token)
        toRepeat.push(token)
        repeated += 1
      }
    },
    pending: () => unacknowledged.size + toRepeat.length,
    lostCount: () => toRepeat.length,
    more: () => toRepeat.length > 0 || starts.length < count,
  }
}
