import { createCompiler } from './compile/compiler.ts'
import { rootEnv, type Many, type One } from './compile/code.ts'
import { createMachine, defaultLimits, reset, type Limits, type Machine } from './compile/machine.ts'
import { JqLimitError, JqSyntaxError } from './errors.ts'
import { createLibrary } from './library.ts'
import type { Ir } from './lower/ir.ts'
import { lower } from './lower/lower.ts'
import { report, type Reads } from './lower/reads.ts'
import { parse } from './syntax/parser.ts'
import { toJson, type Json, type Value } from './values/value.ts'

export interface CompileOptions {
  /** Names, without `$`, of the variables that a run will give; any other free variable is an error. */
  readonly variables?: readonly string[]
  /** Milliseconds since the epoch, for `now` and its like, which are refused without it. */
  readonly clock?: () => number
  readonly limits?: Partial<Limits>
  /** Milliseconds of a clock that only goes forward, for the deadline; the host's `performance.now` unless given. */
  readonly elapsed?: () => number
}

export interface Program {
  readonly source: string
  readonly reads: Reads
  /**
   * All outputs.
   * @throws JqError when the program raises an error, JqLimitError when it uses more than it may
   */
  run(input: Json, variables?: Readonly<Record<string, Json>>): Json[]
  /** The first output, `undefined` when there is none. What comes after it is never computed. */
  first(input: Json, variables?: Readonly<Record<string, Json>>): Json | undefined
}

/**
 * Compiles a jq 1.8 program.
 * @throws JqSyntaxError for everything that can be known to be wrong before a run
 */
export function compile(source: string, options: CompileOptions = {}): Program {
  const variables = new Set(options.variables)
  const ir = guarded(source, () => lower(parse(source), { source, variables, library: createLibrary(options.clock !== undefined) }))
  const machine = createMachine({ ...defaultLimits, ...options.limits }, options.elapsed ?? (() => performance.now()), options.clock)
  return guarded(source, () => assemble(source, ir, machine))
}

/** Recursion past the end of the host's stack becomes an ordinary error. */
function guarded<T>(source: string, build: () => T): T {
  try {
    return build()
  } catch (error) {
    if (!isStackOverflow(error)) throw error
    throw new JqSyntaxError(source, { code: 'too-deep', message: 'The program nests too deeply', start: 0, end: source.length })
  }
}

function isStackOverflow(error: unknown): boolean {
  return error instanceof RangeError || (error instanceof Error && error.name === 'InternalError')
}

/** What a run throws, with the host's own limits named like ours. */
function translate(error: unknown): unknown {
  if (!isStackOverflow(error)) return error
  const stack = error instanceof Error && /call stack|recursion/i.test(error.message)
  return stack
    ? new JqLimitError('depth', 'The program nested deeper than the host can follow')
    : new JqLimitError('size', 'The program made a value larger than the host can hold')
}

function assemble(source: string, ir: Ir, machine: Machine): Program {
  const compiler = createCompiler(machine)
  const one: One | undefined = ir.count === 'maybe' ? compiler.one(ir) : undefined
  const many: Many = compiler.many(ir)
  const reads = report(ir)
  // Only a program that reads numbers out of text or holds such a literal can put out a kept integer.
  const settle: (value: Value) => Json = toJson
  const first = one ?? firstOf(many)
  return {
    source,
    reads,
    run(input, given) {
      const outputs: Json[] = []
      reset(machine, given)
      try {
        many(input, rootEnv, (value) => {
          if (outputs.length >= machine.limits.outputs)
            throw new JqLimitError('outputs', `The program gave more than ${machine.limits.outputs} outputs`)
          outputs.push(settle(value))
          return false
        })
      } catch (error) {
        throw translate(error)
      }
      return outputs
    },
    first(input, given) {
      reset(machine, given)
      try {
        const value = first(input, rootEnv)
        return value === undefined ? undefined : settle(value)
      } catch (error) {
        throw translate(error)
      }
    },
  }
}

function firstOf(many: Many): One {
  return (input, env) => {
    let found: Value | undefined
    many(input, env, (value) => {
      found = value
      return true
    })
    return found
  }
}
