import type { Json, JsonObject } from '#core/json.ts'

/** The message that resumes a wait: an event, or a decision. */
export interface Message {
  readonly id: string
  /** Of the wait. */
  readonly position: string
  readonly value: Json
}

export interface OutgoingMessage {
  readonly accountId: string
  readonly executionId: string
  /** Of the wait. */
  readonly position: string
  readonly topic: string
  readonly value: Json
}

/** Events of accounts, and messages to waits. */
export interface Bus {
  /** @param onMessages called with the executions of this process that have new messages. */
  start(onMessages: (executionIds: readonly string[]) => void): void
  /** Starts the matching of events with listeners at once. */
  wake(): void
  /**
   * Puts complete CloudEvents on the bus of an account.
   * @param depth of the execution that sends them from outside of the engine; none unless given.
   * @returns how many are new, by source and id.
   */
  publish(accountId: string, events: readonly JsonObject[], depth?: number): Promise<number>
  /** Sends a message to a wait. @returns false when the wait is not open, or has a message already. */
  send(delivery: OutgoingMessage): Promise<boolean>
  stop(): Promise<void>
}
