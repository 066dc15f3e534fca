import type { GeneratedWorkflows } from './generate-workflows.ts'
import type { RecordedStart } from './observations.ts'
import type { Random } from './random.ts'
import type { RunningWorker } from './worker-pool.ts'
import type { WorkerLine } from './worker-lines.ts'

/** Starts that were acknowledged and are said once more all the same, as by a caller whose connection broke. */
const SAID_AGAIN = 0.03

interface Start extends RecordedStart {
  readonly accountId: string
  readonly acknowledged: Set<string>
}

/** Starts executions, and keeps what was promised of them. */
export interface Starter {
  /** Says the next start, or one whose answer was lost, to a process. */
  startNext(worker: RunningWorker): void
  hear(worker: RunningWorker, line: WorkerLine): void
  /** What was said to this process and not answered is said again to another. */
  lost(worker: RunningWorker): void
  readonly starts: readonly Start[]
  /** Starts that were made and are not acknowledged yet, those to be said again included. */
  pending(): number
  /** Whether a start is left to be said. */
  more(): boolean
  /** How many are to be said again. */
  lostCount(): number
  /** Starts whose answer was lost, and said again. */
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
  const again: number[] = []
  const underWay = new Map<number, RunningWorker>()
  let repeated = 0

  function next(): Start | undefined {
    const token = again.shift()
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
      underWay.set(token, worker)
      worker.send({ do: 'start', token, accountId, versionId, input: { ledger: ledgerUrl, n, ref: `start-${token}` } })
    },
    hear(worker, line) {
      if (line.say !== 'acknowledged' && line.say !== 'refused') return
      if (underWay.get(line.token) === worker) underWay.delete(line.token)
      if (line.say === 'refused') {
        again.push(line.token)
        repeated += 1
        return
      }
      const acknowledged = starts[line.token]?.acknowledged
      if (acknowledged?.size === 0 && random.chance(SAID_AGAIN)) again.push(line.token)
      acknowledged?.add(line.id)
    },
    lost(worker) {
      for (const [token, said] of underWay) {
        if (said !== worker) continue
        underWay.delete(token)
        again.push(token)
        repeated += 1
      }
    },
    pending: () => underWay.size + again.length,
    lostCount: () => again.length,
    more: () => again.length > 0 || starts.length < count,
  }
}
