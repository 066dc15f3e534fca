import type { Json } from '#core/json.ts'
import type { Meter } from '#core/meter.ts'
import { compilePattern, type Pattern, PatternError } from './pattern.ts'
import { SchemaError } from './schema-error.ts'
import type { Scope } from './scope.ts'

/** One validation takes no more steps than this: two seconds at most. */
export const STEPS_MAX = 5_000_000

/** Steps are counted here and handed to the meter together. */
const BATCH = 256

/** Schemas that are being applied inside one another. The stack of a process takes about 1,200. */
const DEPTH_MAX = 600

/** Faults beyond these would only bury them. */
const FAULTS_MAX = 100

/** A validation keeps this many compiled patterns; a pattern that was dropped is paid for again. */
const PATTERNS_MAX = 500

/** One place of a value that does not fit its schema: a JSON Pointer into the value. */
export interface SchemaFault {
  readonly pointer: string
  readonly detail: string
}

/** The state of one validation. All that a validation remembers is in here, so that one that was interrupted leaves nothing behind. */
export class Run {
  scope: Scope
  depth = 0
  /** References that are being followed, with the values that they are applied to. */
  readonly trail: { readonly node: object; readonly value: Json }[] = []
  faults: SchemaFault[] = []
  readonly #meter: Meter | undefined
  readonly #explained = new Map<object, Set<string>>()
  readonly #patterns = new Map<string, Pattern>()
  #pending = 0
  #total = 0

  constructor(scope: Scope, meter: Meter | undefined) {
    this.scope = scope
    this.#meter = meter
  }

  /** Pays for work before it is done. */
  charge(steps: number): void {
    this.#pending += steps
    if (this.#pending >= BATCH) this.flush()
  }

  flush(): void {
    const steps = this.#pending
    this.#pending = 0
    this.#total += steps
    if (this.#total > STEPS_MAX) throw new SchemaError(`more than ${STEPS_MAX.toLocaleString('en')} steps`)
    this.#meter?.spend(steps)
  }

  enter(): void {
    if (++this.depth > DEPTH_MAX)
      throw new SchemaError(this.#isCircular() ? 'it refers to itself' : `schema or value nest too deeply, over ${DEPTH_MAX} levels`)
  }

  get isFull(): boolean {
    return this.faults.length >= FAULTS_MAX
  }

  /** Notes a fault, and says that the value does not fit. */
  report(pointer: string, detail: string): false {
    if (!this.isFull) this.faults.push({ pointer, detail })
    return false
  }

  /** The faults that `act` reports, apart from all others. */
  collect(act: () => void): readonly SchemaFault[] {
    const { faults } = this
    this.faults = []
    act()
    const collected = this.faults
    this.faults = faults
    return collected
  }

  /** Whether the faults of a schema at a place were not reported yet. */
  explainOnce(node: object, at: string): boolean {
    const places = this.#explained.get(node) ?? new Set()
    this.#explained.set(node, places)
    if (places.has(at)) return false
    places.add(at)
    return true
  }

  /** A pattern is paid for once in a validation, whether or not another one has compiled it before. */
  pattern(source: string, place: string): Pattern {
    const known = this.#patterns.get(source)
    if (known !== undefined) return known
    const pattern = this.#compile(source, place)
    if (this.#patterns.size >= PATTERNS_MAX) this.#patterns.delete(this.#patterns.keys().next().value ?? '')
    this.#patterns.set(source, pattern)
    return pattern
  }

  matches(pattern: Pattern, text: string): boolean {
    this.charge(pattern.stepsFor(text.length))
    return pattern.test(text)
  }

  #compile(source: string, place: string): Pattern {
    try {
      return compilePattern(source, (steps) => this.charge(steps))
    } catch (error) {
      if (error instanceof PatternError) throw new SchemaError(`${place}: ${error.message}`)
      throw error
    }
  }

  /** Whether one schema is applied to one value inside of itself. */
  #isCircular(): boolean {
    const applied = new Map<object, Set<Json>>()
    return this.trail.some(({ node, value }) => {
      const values = applied.get(node) ?? new Set()
      if (values.has(value)) return true
      applied.set(node, values.add(value))
      return false
    })
  }
}
