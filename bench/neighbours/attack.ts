import type { Call, Reply } from './api.ts'
import type { VictimAct } from './victim.ts'

/** What an attack goes for. */
export const families = ['expressions', 'values', 'timelines', 'schemas', 'documents', 'events', 'scripts', 'volume'] as const
export type Family = (typeof families)[number]

/** An account that may do what everybody may who has registered, and the means to do it. */
export interface Attacker {
  call(call: Call): Promise<Reply>
  /** Saves and publishes a definition. Undefined where the server refuses it; `send` then goes on with trying, which is an attack as well. */
  define(definition: unknown): Promise<string | undefined>
  /** Starts an execution and does not wait for it. */
  start(workflow: string, input?: unknown): Promise<Reply>
  /** Starts an execution and waits for its end, two seconds at most. */
  run(workflow: string, input?: unknown): Promise<Reply>
  /** As the signed-in person, for what no key may do. */
  asPerson(call: Call): Promise<Reply>
}

export interface Attack {
  readonly name: string
  readonly family: Family
  /** So many requests of it are under way at a time; 8 unless given. */
  readonly lanes?: number
  /** What it needs is made beforehand, from as many addresses as it takes; what it resolves with is then called again and again, from one. */
  readonly open: (attacker: Attacker) => Promise<Send>
  /** What else of the victim it aims at. */
  readonly aimsAt?: VictimAct
}

export type Send = (n: number) => Promise<Reply>

/** Says of a document how its workflow is called: another each time, as names are unique within an account. */
export function documentHead(name: string): Readonly<Record<string, string>> {
  return { dsl: '1.0.3', namespace: 'attack', name, version: '1.0.0' }
}

/** Defines a workflow and runs it again and again; where it is refused, has it refused again and again. */
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

/** A task that sets `y` to what the expression gives. */
export function sets(expression: string): Readonly<Record<string, unknown>> {
  return { set: { y: `\${ ${expression} }` } }
}

/** Does the task so often, whatever becomes of it. */
export function again(times: number, task: unknown): readonly unknown[] {
  const attempt = { try: [{ act: task }], catch: {} }
  return [{ each: { for: { each: 'i', in: `\${ [range(${times})] }` }, do: [{ attempt }] } }]
}
