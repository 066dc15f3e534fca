import type { Call, Reply } from './api.ts'
import type { VictimAct } from './victim.ts'

/** The target of an attack. */
export const families = ['expressions', 'values', 'timelines', 'schemas', 'documents', 'events', 'scripts', 'volume'] as const
export type Family = (typeof families)[number]

/** An attacking account with the permissions of every registered user, and its operations. */
export interface Attacker {
  call(call: Call): Promise<Reply>
  /** Saves and publishes a definition. Undefined if the server rejects it; `send` then repeats the attempt, which is an attack as well. */
  define(definition: unknown): Promise<string | undefined>
  /** Starts an execution and does not wait for it. */
  start(workflow: string, input?: unknown): Promise<Reply>
  /** Starts an execution and waits for its end, two seconds at most. */
  run(workflow: string, input?: unknown): Promise<Reply>
  /** With the access token of the user, for operations without API keys. */
  asPerson(call: Call): Promise<Reply>
}

export interface Attack {
  readonly name: string
  readonly family: Family
  /** Number of concurrent requests; 8 by default. */
  readonly lanes?: number
  /** Prepares the attack, from as many addresses as necessary. The returned function is then called repeatedly, from one address. */
  readonly open: (attacker: Attacker) => Promise<Send>
  /** Further targets of the victim. */
  readonly aimsAt?: VictimAct
}

export type Send = (n: number) => Promise<Reply>

/** Gives the workflow of a document a new name, as names are unique within an account. */
export function documentHead(name: string): Readonly<Record<string, string>> {
  return { dsl: '1.0.3', namespace: 'attack', name, version: '1.0.0' }
}

/** Defines a workflow and runs it repeatedly; if the definition is rejected, repeats the rejected request. */
export function runs(definition: unknown, input?: unknown): Attack['open'] {
  return async (attacker) => {
    const id = await attacker.define(definition)
    return async () => (id === undefined ? await refused(attacker, definition) : await attacker.run(id, input))
  }
}

/** Starts executions without waiting for any. */
export function starts(definition: unknown, input?: unknown): Attack['open'] {
  return async (attacker) => {
    const id = await attacker.define(definition)
    return async () => (id === undefined ? await refused(attacker, definition) : await attacker.start(id, input))
  }
}

async function refused(attacker: Attacker, definition: unknown): Promise<Reply> {
  await attacker.define(definition)
  return { status: 422, ms: 0, text: '' }
}

/** A task that sets `y` to the value of the expression. */
export function sets(expression: string): Readonly<Record<string, unknown>> {
  return { set: { y: `\${ ${expression} }` } }
}

/** Repeats a task, whatever its result. */
export function again(times: number, task: unknown): readonly unknown[] {
  const attempt = { try: [{ act: task }], catch: {} }
  return [{ each: { for: { each: 'i', in: `\${ [range(${times})] }` }, do: [{ attempt }] } }]
}
