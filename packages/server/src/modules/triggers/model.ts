import type { ErrorCode } from '@millrace/contract'
import { isOfServer } from '#modules/executions/index.ts'
import type { Json } from '@millrace/engine'
import type { WatchSettings, WatchState } from './watching/model.ts'
import type { EventSchedule } from './collecting/event-schedule.ts'
import type { MissedPolicy, OverlapPolicy, ScheduleSpec } from './schedule/schedule-spec.ts'

export type TriggerKindOf = 'manual' | 'schedule' | 'webhook' | 'event' | 'watch'

/** How a schedule is due, and what happens to late and overlapping times. */
export interface ScheduleSettings {
  readonly spec: ScheduleSpec
  readonly missed: MissedPolicy
  readonly missedMax: number
  readonly overlap: OverlapPolicy
}

export type SignatureScheme = 'standard' | 'github' | 'stripe' | 'slack' | 'hmac' | 'basic' | 'none'
export type HmacAlgorithm = 'sha256' | 'sha512' | 'sha1'

/** How the sender of a webhook proves who it is; the secret is stored sealed beside it. */
export interface SignatureSettings {
  readonly scheme: SignatureScheme
  readonly username?: string | undefined
  readonly header?: string | undefined
  readonly algorithm?: HmacAlgorithm | undefined
  readonly encoding?: 'hex' | 'base64' | undefined
  readonly toleranceSeconds: number
}

export interface WebhookSettings {
  readonly methods: readonly ('GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE')[]
  readonly signature: SignatureSettings
  readonly deliveryHeader?: string | undefined
  readonly sameContentSeconds?: number | undefined
  /** Whether the input has the body as it was sent. */
  readonly rawBody?: boolean | undefined
  readonly addresses: readonly string[]
  readonly reply: 'accepted' | 'end' | 'respond'
  readonly timeoutSeconds: number
  readonly ratePerMinute: number
  readonly form?: StartFormSettings | undefined
}

/** The page on which people fill in the input of the workflow. */
export interface StartFormSettings {
  readonly title?: string | undefined
  readonly description?: string | undefined
  readonly button?: string | undefined
  readonly thanks?: string | undefined
  /** Of the times that people fill in. */
  readonly timeZone: string
}

/** The settings of a trigger by its kind, as they are stored. */
export interface TriggerSettings {
  readonly schedule?: ScheduleSettings
  readonly webhook?: WebhookSettings
  readonly watch?: WatchSettings
  /** Of an event trigger that a definition made. */
  readonly on?: EventSchedule
  /** Of an event trigger: only the ends of executions of these workflows. */
  readonly workflowIds?: readonly string[] | undefined
  /** Of a webhook: jq that says which requests start the workflow. */
  readonly filter?: string | undefined
}

/** What starts a workflow other than a request. */
export interface Trigger extends TriggerSettings {
  readonly id: string
  readonly accountId: string
  readonly workflowId: string
  readonly kind: TriggerKindOf
  readonly origin: 'user' | 'definition'
  readonly name: string
  readonly enabled: boolean
  readonly pausedReason: string | undefined
  /** Name of the connection without which it cannot work; the trigger is enabled when there is one that works. */
  readonly pausedConnection: string | undefined
  readonly input: Json | undefined
  readonly mapping: string | undefined
  readonly eventTypes: readonly string[] | undefined
  /** Of a watch. */
  readonly watched: WatchState | undefined
  /** Sealed. */
  readonly token: Buffer | undefined
  readonly secret: Buffer | undefined
  readonly nextAt: Date | undefined
  /** Until when the test URL of a webhook takes requests; it may be past. */
  readonly testUntil: Date | undefined
  readonly failures: number
  readonly lastFiredAt: Date | undefined
  readonly lastExecutionId: string | undefined
  readonly lastError: string | undefined
  readonly revision: number
  readonly createdAt: Date
  readonly updatedAt: Date
}

/** The content of a new trigger. */
export interface TriggerContent extends TriggerSettings {
  readonly id: string
  readonly workflowId: string
  readonly kind: TriggerKindOf
  readonly origin: 'user' | 'definition'
  readonly name: string
  readonly enabled: boolean
  readonly input: Json | undefined
  readonly mapping: string | undefined
  readonly eventTypes: readonly string[] | undefined
  readonly tokenHash: Buffer | undefined
  readonly token: Buffer | undefined
  readonly secret: Buffer | undefined
  readonly nextAt: Date | undefined
}

/** Triggers of one account. */
export const triggersMax = 20_000
/** Those of events among them: each event is compared with all of them, and may fire all. */
export const eventTriggersMax = 200
/** Failed starts in a row after which a trigger is paused. */
export const failuresMax = 10

/** Whether a failed start says something about its trigger. Another one would fail as well for want of quota, or because of the server. */
export function isOfTrigger(code: ErrorCode): boolean {
  return code !== 'quota_exceeded' && !isOfServer(code)
}
