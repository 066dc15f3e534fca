import type { Random } from './random.ts'

/** Entries of a `do`, in order. */
export type Tasks = readonly Readonly<Record<string, unknown>>[]

/** The effects of an execution at its end, collected while the end is predicted. */
export interface Expectation {
  /** The number of different keys at the ledger for each label: one, or more for an effect with retries. */
  readonly effects: Map<string, number>
  /** Number of children that it starts without waiting for them. */
  detached: number
  /** The body of its reply. */
  answer: number | undefined
}

/** The iterations at the current point of a prediction. */
export interface WalkPosition {
  readonly expected: Expectation
  readonly iterations: readonly number[]
}

/** A part of a workflow that computes a number from a number. The input and the output of its tasks are `{ n }`. */
export interface Block {
  readonly tasks: Tasks
  /** The number that comes out. @throws ForetoldFault where the part faults. */
  predict(n: number, place: WalkPosition): number
}

export class ExpectedFault extends Error {
  override readonly name = 'ForetoldFault'
  readonly type: string
  constructor(type: string) {
    super(type)
    this.type = type
  }
}

/** A child workflow that a generated one may run. */
export interface RunnableChild {
  readonly name: string
  /** Its approximate duration. */
  readonly costMs: number
  predictOutput(n: number): number
}

/** The conditions for a part at its place in the workflow. */
export interface Surroundings {
  readonly random: Random
  /** A new task name, unique in the workflow. */
  name(): string
  /** The remaining depth of nesting. */
  readonly depth: number
  /** The index variables of the enclosing loops. */
  readonly indices: readonly string[]
  readonly children: readonly RunnableChild[]
  /** The remaining time for parked waits and children. */
  readonly budget: { leftMs: number }
}

/** An expression for the URL of an effect at the ledger. The label contains the enclosing iterations. */
export function effectUri(kind: string, label: string, indices: readonly string[]): string {
  const path = [label, ...indices.map((name) => `\\($${name})`)].join('.')
  return `\${ "\\($context.ledger)/${kind}/${path}?of=\\($workflow.id)" }`
}

/** The label of an effect at the ledger. */
export function labelAtPosition(label: string, { iterations }: WalkPosition): string {
  return [label, ...iterations].join('.')
}

/** Counts the expected requests of an effect. @returns its label */
export function expectEffect(label: string, place: WalkPosition, requests = 1): string {
  const full = labelAtPosition(label, place)
  place.expected.effects.set(full, (place.expected.effects.get(full) ?? 0) + requests)
  return full
}

export const modulus = 1_000
