import { createLibrary } from '#src/library.ts'
import { lower } from '#src/lower/lower.ts'
import { guarded } from '#src/program.ts'
import { parse } from '#src/syntax/parser.ts'
import { type Absence, type Budget, type Traced, unknown } from './traced.ts'
import { Tracer } from './tracer.ts'

export {
  type Absence,
  absent,
  type Budget,
  constant,
  either,
  followed,
  isWithout,
  memberNames,
  memberOf,
  objectOf,
  type Traced,
  unknown,
  unsure,
} from './traced.ts'

export interface TraceOptions {
  readonly input: Traced
  readonly variables: ReadonlyMap<string, Traced>
  /** Called for each place of the followed data that is read; `sure` if every run reads it and gives no default for an absent value. */
  readonly found: (path: string, sure: boolean) => void
  /**
   * Called for each member that is read where it is certainly absent, unless the program says what to do then, as by `//`, `?`, `try`, a comparison with null
   * or a check such as `type`. In a condition the comparison with any other constant counts as such a read, since it gives the same in every run.
   */
  readonly lacks?: (absence: Absence) => void
  /** Called for each member that is read by a fixed name, with what is known of the value that it is read from. */
  readonly member?: ((of: Traced, name: string) => void) | undefined
  /** How the output is used: a `condition` takes an absent value for false. */
  readonly as: 'value' | 'condition'
  /** The nodes that are still followed, of all programs that share it; what is left out is unknown. */
  readonly budget: Budget
}

/** What parsing costs, in nodes. */
const charactersPerNode = 8

/**
 * Follows values through a program without running it: which places of the followed data it reads, and where its output comes from. What is
 * uncertain is left out, unlike in `Program.reads`, which may name too much and never too little.
 * @throws JqSyntaxError for a program that is not valid
 */
export function traceProgram(source: string, { input, variables, as, budget, ...notes }: TraceOptions): Traced {
  budget.left -= source.length / charactersPerNode
  if (budget.left <= 0) return unknown
  return guarded(source, () => {
    const ir = lower(parse(source), { source, variables: new Set(variables.keys()), library: createLibrary(true) })
    const tracer = new Tracer({ ...notes, variables, condition: as === 'condition' ? ir : undefined, budget })
    const value = tracer.trace(ir, input, undefined, 'always')
    if (as === 'condition') tracer.decide(value, 'always')
    else tracer.use(value, 'always')
    return value
  })
}
