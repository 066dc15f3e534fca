import type { JsonValue } from '@millrace/contract'
import type * as z from 'zod'

/** How often a job that failed is attempted again, and when: the delay doubles from the first to the largest. */
export interface RetryPolicy {
  /** Attempts after the first. */
  readonly limit: number
  readonly delaySeconds: number
  readonly delaySecondsMax: number
}

/** A kind of background job. Jobs run at least once: one whose process dies, or loses its database, runs again. */
export interface Job<P extends JsonValue = JsonValue> {
  /** In log lines and in the database: `area.purpose`, in kebab-case. */
  readonly name: string
  readonly payload: z.ZodType<P>
  readonly retry: RetryPolicy
  /** Of the jobs with one such key one waits at a time, and one runs at a time; another that is sent meanwhile is dropped. */
  readonly singleton?: (payload: P) => string
}

/** A job that the installation sends to itself: once for every time of its schedule, however many processes there are. */
export interface ScheduledJob<P extends JsonValue = JsonValue> extends Job<P> {
  readonly schedule: {
    /** Five fields, in UTC. */
    readonly cron: string
    readonly payload: P
  }
}

/** What a handler knows of the attempt that it makes. */
export interface JobAttempt {
  readonly id: string
  /** 1 for the first. */
  readonly attempt: number
  /** Aborts when the process shuts down, or when the job has run for longer than a job may. */
  readonly signal: AbortSignal
  /** Makes progress readable by the id of the job. */
  report(progress: JsonValue): Promise<void>
}

/** A job with what does it; its payload has passed the job's schema. */
export interface HandledJob {
  readonly job: Job | ScheduledJob
  readonly handle: (payload: JsonValue, attempt: JobAttempt) => Promise<void>
}

/** Declares a job, and returns it unchanged. */
export function job<P extends JsonValue>(declaration: ScheduledJob<P>): ScheduledJob<P>
export function job<P extends JsonValue>(declaration: Job<P>): Job<P>
export function job<P extends JsonValue>(declaration: Job<P>): Job<P> {
  return declaration
}

/** Pairs a job with its handler. */
export function handled<P extends JsonValue>(declared: Job<P>, handle: (payload: P, attempt: JobAttempt) => Promise<void>): HandledJob {
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- What has a payload of its own is used with that payload alone: `handle` parses first.
    job: declared as unknown as Job,
    handle: (payload, attempt) => handle(declared.payload.parse(payload), attempt),
  }
}

export function isScheduled(declared: Job | ScheduledJob): declared is ScheduledJob {
  return 'schedule' in declared
}
