import type { JsonObject, Json } from '#core/json.ts'
import type { PendingRequest } from '#core/machine.ts'
import type { ChildRequest, ComputeStall, Failure, Outcome } from '#core/request.ts'
import type { Message } from '#durable/ports/bus.ts'
import type { Write, Written } from '#durable/ports/journal.ts'
import type { ComputationEnd } from '#durable/ports/processor.ts'
import type { PreparedChild } from './performer.ts'

/** A change that is written together with the entry of an outcome. */
export type Attachment =
  | { readonly kind: 'event'; readonly event: JsonObject }
  | { readonly kind: 'reply'; readonly body: Json }
  /** The outcome consumes this message. */
  | { readonly kind: 'message'; readonly id: string }

/** An input that moves the machine. Moves wait, in order, while the machine is stalled and until the account has the next turn. */
export type Move =
  | { readonly kind: 'begin' }
  | { readonly kind: 'proceed' }
  | {
      readonly kind: 'outcome'
      readonly pending: PendingRequest
      readonly outcome: Outcome
      readonly startedAtMs: number
      readonly attachment: Attachment | undefined
    }

/** An input that does not need the machine to move; it is applied at once. */
export type Command =
  | { readonly kind: 'committed'; readonly write: Write; readonly written: Written; readonly version: number }
  | { readonly kind: 'write-failed'; readonly write: Write; readonly cause: unknown }
  | {
      readonly kind: 'child-prepared'
      readonly pending: PendingRequest
      readonly request: ChildRequest
      readonly prepared: PreparedChild | Failure
      readonly startedAtMs: number
    }
  | { readonly kind: 'child-ended'; readonly childId: string; readonly outcome: Outcome }
  | { readonly kind: 'messages'; readonly messages: readonly Message[] }
  /** The computation for which the machine is stalled has ended. */
  | { readonly kind: 'computed'; readonly stall: ComputeStall; readonly end: ComputationEnd }
  | { readonly kind: 'computation-failed'; readonly cause: unknown }
  /** The stalled machine may be resumed. */
  | { readonly kind: 'resume'; readonly end: ComputationEnd | undefined }
  /** The account has the turn that the moves wait for. */
  | { readonly kind: 'turn' }
  /** A wait has lasted so long that the execution can be parked. */
  | { readonly kind: 'grace-over' }
  /** The ends of children and the messages from before its claim have been received. */
  | { readonly kind: 'caught-up' }
  | { readonly kind: 'cancel' }
  | { readonly kind: 'suspend' }
  | { readonly kind: 'release'; readonly force: boolean }
  | { readonly kind: 'drop'; readonly cause: unknown }
  | { readonly kind: 'bug'; readonly cause: unknown }

export type RunInput = Move | Command

export function isMove(input: RunInput): input is Move {
  return input.kind === 'outcome' || input.kind === 'proceed' || input.kind === 'begin'
}
