import { boot } from '#src/boot.ts'
import type { Decisions, DecisionsRequest } from '#src/rehearse/decisions.ts'
import type { RunRecord } from '#src/rehearse/run-record.ts'
import { startWorker } from '#src/workers/start-worker.ts'

const limitMs = 10_000

/** What tasks of a run decided, computed beside the page; undefined where that takes too long. */
export async function askDecisions(record: RunRecord, positions: readonly string[]): Promise<Decisions | undefined> {
  const { call, stop } = startWorker('decisions')
  const request: DecisionsRequest = { record, version: boot.version, positions }
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), limitMs)
  })
  try {
    return await Promise.race([call<Decisions>('decisionsOf', request), late])
  } finally {
    clearTimeout(timer)
    stop()
  }
}
