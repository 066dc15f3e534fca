import type { Kysely } from 'kysely'
import type { Rows } from '#platform/db/rows.ts'
import { type AlsoWithEnds, evaluateEnds } from './evaluate-ends.ts'
import { notifyFaults } from './notify-faults.ts'

export interface EvaluatorDeps {
  readonly db: Kysely<Rows>
  /** What else happens with ends, in the same statement. */
  readonly also?: readonly AlsoWithEnds[]
  readonly warn: (message: string, details: Readonly<Record<string, unknown>>) => void
}

/** Evaluates ended executions in the background. */
export interface Evaluator {
  /** Evaluates all ends that there are. */
  evaluate(): Promise<void>
  start(): void
  stop(): Promise<void>
}

const intervalMs = 1_000
/** Bounds one pass, and with it the time that stopping takes. */
const roundsMax = 500

/** Any number of processes may run an evaluator: one of them works at a time. */
export function createEvaluator({ db, also, warn }: EvaluatorDeps): Evaluator {
  let stopping = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  /** One batch, with its notifications in the same transaction. @returns whether there are probably more. */
  async function evaluateBatch(): Promise<boolean> {
    return db.transaction().execute(async (tx) => {
      const { faults, hasMore } = await evaluateEnds(tx, also)
      if (faults.length > 0) await notifyFaults(tx, faults)
      return hasMore
    })
  }

  async function evaluate(): Promise<void> {
    for (let round = 0; round < roundsMax && !stopping && (await evaluateBatch()); round++);
  }

  return {
    evaluate,
    start() {
      timer = setInterval(() => {
        running ??= evaluate()
          .catch((error: unknown) => warn('ended executions could not be evaluated', { error }))
          .finally(() => {
            running = undefined
          })
      }, intervalMs)
    },
    async stop() {
      stopping = true
      clearInterval(timer)
      await running
    },
  }
}
