import type { Json, JsonObject } from '#core/json.ts'

/** What came to a wait from outside. */
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
  /** @param reached told of executions that something came to. */
  start(reached: (executionIds: readonly string[]) => void): void
  /** There are new events, or new listeners. */
  wake(): void
  /** Puts complete CloudEvents on the bus of an account. @returns how many were not there before, by source and id. */
  publish(accountId: string, events: readonly JsonObject[]): Promise<number>
  /** Answers a wait. @returns false when it is not open, or was answered before. */
  send(delivery: OutgoingMessage): Promise<boolean>
  stop(): Promise<void>
}
