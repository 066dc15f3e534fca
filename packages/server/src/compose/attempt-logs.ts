import { type EffectCall, type EffectFunction, maskFor, WorkflowError } from '@millrace/engine'
import { type AttemptLog, attemptLogMax } from '#modules/executions/index.ts'
import type { PolicyGuard } from '#modules/privacy/index.ts'
import { storableText } from '#platform/storable-text.ts'

export interface AttemptLogDeps {
  readonly policies: Pick<PolicyGuard, 'policiesFor' | 'copyOf'>
  readonly save: (logs: readonly AttemptLog[]) => Promise<void>
  /** Milliseconds since the epoch. */
  readonly now: () => number
  readonly onError: (error: unknown) => void
}

export type AttemptLogs = ReturnType<typeof createAttemptLogs>

const flushMs = 250
/** More logs than this wait only if the database is slow; the newest are dropped then. */
const waitingMax = 1_000

/**
 * Keeps what attempts of tasks write: output of scripts, and what services replied to a failed attempt. Logs are collected and saved in batches
 * beside the executions: a process that is killed loses the last ones, and no task waits for its log.
 */
export function createAttemptLogs({ policies, save, now, onError }: AttemptLogDeps) {
  let waiting: AttemptLog[] = []
  let timer: NodeJS.Timeout | undefined
  let saving: Promise<void> = Promise.resolve()

  function flush(): Promise<void> {
    clearTimeout(timer)
    timer = undefined
    const logs = [...new Map(waiting.map((log) => [`${log.executionId}${log.position}`, log])).values()]
    waiting = []
    if (logs.length > 0) saving = saving.then(() => save(logs)).catch(onError)
    return saving
  }

  function keep(log: AttemptLog): void {
    if (waiting.length >= waitingMax) return
    waiting.push(log)
    timer ??= setTimeout(() => void flush(), flushMs).unref()
  }

  async function store(call: EffectCall, written: readonly string[]): Promise<void> {
    const { accountId, workflowId, executionId, position, secrets } = call
    if (position === undefined) return
    const whole = storableText(written.map((text) => text.replace(/\n?$/, '\n')).join(''))
    const masked = maskFor(secrets)?.text(whole) ?? whole
    const { journal, logs } = await policies.policiesFor(accountId, workflowId)
    const text = await policies.copyOf(logs ?? journal, masked.slice(-attemptLogMax).toWellFormed())
    if (text === undefined) return
    keep({ accountId, executionId, position, text, truncated: masked.length > attemptLogMax, at: new Date(now()) })
  }

  return {
    flush,
    /** The functions, each with a log for what it writes. */
    logged: (functions: { get(name: string): EffectFunction | undefined }): { get(name: string): EffectFunction | undefined } => ({
      get(name) {
        const perform = functions.get(name)
        if (perform === undefined) return undefined
        return async (call) => {
          const written: string[] = []
          try {
            return await perform({ ...call, log: (text) => void written.push(text) })
          } catch (error) {
            if (error instanceof WorkflowError) written.push(`${error.data.title}: ${error.data.detail ?? ''}`)
            throw error
          } finally {
            if (written.length > 0) await store(call, written).catch(onError)
          }
        }
      },
    }),
  }
}
