import type { JsonValue } from '@millrace/contract'
import type * as z from 'zod'

/** The retries of a failed job. The delay doubles with each retry, from `delaySeconds` to `delaySecondsMax`. */
export interface RetryPolicy {
  /** Retries after the first attempt. */
  readonly limit: number
  readonly delaySeconds: number
  readonly delaySecondsMax: number
}

/** A kind of background job. A job runs at least once: it runs again when its process dies or loses the database. */
export interface Job<P extends JsonValue = JsonValue> {
  /** `area.purpose` in kebab-case; it appears in log lines and in the database. */
  readonly name: string
  readonly payload: z.ZodType<P>
  readonly retry: RetryPolicy
  /** Returns a key. At most one job with this key waits and at most one runs; a further one that is sent while one waits is dropped. */
  readonly singleton?: (payload: P) => string
}

/** A job that the queue sends by itself: one for each time of its schedule, regardless of the number of processes. */
export interface ScheduledJob<P extends JsonValue = JsonValue> extends Job<P> {
  readonly schedule: {
    /** A cron expression of five fields, in UTC. */
    readonly cron: string
    readonly payload: P
  }
}

/** The current attempt, as its handler sees it. */
export interface JobAttempt {
  readonly id: string
  /** The number of the attempt, from 1. */
  readonly attempt: number
  /** Aborts when the process shuts down, or when the job exceeds the time limit of the queue. */
  readonly signal: AbortSignal
  /** Stores the progress, which `Jobs.find` returns. */
  report(progress: JsonValue): Promise<void>
}

/** A job with its handler, which receives payloads that match the schema of the job. */
export interface HandledJob {
  readonly job: Job | ScheduledJob
  readonly handle: (payload: JsonValue, attempt: JobAttempt) => Promise<void>
}

/** The queue refuses other names only when it writes the schedules, and with one of them all that follow. */
const nameForm = /^[\w./-]+$/

/** Declares a job, and returns it unchanged; throws for a name that the queue would refuse. */
export function job<P extends JsonValue>(declaration: ScheduledJob<P>): ScheduledJob<P>
export function job<P extends JsonValue>(declaration: Job<P>): Job<P>
export function job<P extends JsonValue>(declaration: Job<P>): Job<P> {
  if (!nameForm.test(declaration.name)) throw new Error(`the job "${declaration.name}" has characters that the queue refuses`)
  return declaration
}

/** Pairs a job with its handler. */
export function handled<P extends JsonValue>(declared: Job<P>, handle: (payload: P, attempt: JobAttempt) => Promise<void>): HandledJob {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `handle` parses the payload first, so it never receives a payload of another job.
    job: declared as unknown as Job,
    handle: (payload, attempt) => handle(declared.payload.parse(payload), attempt),
  }
}

export function isScheduled(declared: Job | ScheduledJob): declared is ScheduledJob {
  return 'schedule' in declared
}
