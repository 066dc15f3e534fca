import type { Random } from './random.ts'

/** Tasks as they stand in a definition, in order. */
export type Tasks = readonly Readonly<Record<string, unknown>>[]

/** What an execution will have done when it has ended, gathered while its end is foretold. */
export interface Foretold {
  /** How many different requests the ledger sees for each label: one, or more where a failed one is tried again. */
  readonly effects: Map<string, number>
  /** Workflows that it starts and does not wait for. */
  detached: number
  /** What it answered to whoever waits. */
  answer: number | undefined
}

/** Where a walk of the foretelling stands: which iterations it is in. */
export interface Place {
  readonly foretold: Foretold
  readonly iterations: readonly number[]
}

/** A part of a workflow that makes a number of a number. Its tasks get `{ n }` and give `{ n }`. */
export interface Block {
  readonly tasks: Tasks
  /** The number that comes out. @throws ForetoldFault where the part faults. */
  foretell(n: number, place: Place): number
}

export class ForetoldFault extends Error {
  override readonly name = 'ForetoldFault'
  readonly type: string
  constructor(type: string) {
    super(type)
    this.type = type
  }
}

/** A workflow that a generated one may run. */
export interface RunnableChild {
  readonly name: string
  /** How long it takes, roughly. */
  readonly costMs: number
  foretellOutput(n: number): number
}

/** What a part may hold, given where it stands. */
export interface Surroundings {
  readonly random: Random
  /** A name that no other task of the workflow has. */
  name(): string
  /** How much deeper parts may be nested. */
  readonly depth: number
  /** Names of the variables of the loops around it. */
  readonly indices: readonly string[]
  readonly children: readonly RunnableChild[]
  /** What it may still cost: parked waits and the like. */
  readonly budget: { leftMs: number }
}

/** An expression for the address of an effect at the ledger, with the iterations that it is in as part of its label. */
export function effectUri(kind: string, label: string, indices: readonly string[]): string {
  const path = [label, ...indices.map((name) => `\\($${name})`)].join('.')
  return `\${ "\\($context.ledger)/${kind}/${path}?of=\\($workflow.id)" }`
}

/** The label that the ledger sees. */
export function labelAt(label: string, { iterations }: Place): string {
  return [label, ...iterations].join('.')
}

/** Counts the requests of an effect, and gives its label. */
export function foretellEffect(label: string, place: Place, requests = 1): string {
  const full = labelAt(label, place)
  place.foretold.effects.set(full, (place.foretold.effects.get(full) ?? 0) + requests)
  return full
}

export const modulus = 1_000
