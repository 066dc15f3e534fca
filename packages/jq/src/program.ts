import { makesNumbers } from './builtins/natives.ts'
import { asMany } from './compile/call-native.ts'
import { createCompiler } from './compile/compiler.ts'
import { rootEnv, type Many, type One } from './compile/code.ts'
import { createMachine, defaultLimits, finish, reset, setRunning, stepsOf, type Limits, type Machine } from './compile/machine.ts'
import { JqError, JqLimitError, JqSyntaxError } from './errors.ts'
import { createLibrary } from './library.ts'
import type { Ir } from './lower/ir.ts'
import { lower } from './lower/lower.ts'
import { leavesJson, readsOf, type Reads } from './lower/reads.ts'
import type { Node } from './syntax/ast.ts'
import { parse } from './syntax/parser.ts'
import { orNull, toJson, type Json, type Value } from './values/value.ts'

export interface CompileOptions {
  /** Names, without `$`, of the variables that a run will give; any other free variable is an error. */
  readonly variables?: readonly string[]
  /** Milliseconds since the epoch, for `now` and its like, which are refused without it. */
  readonly clock?: () => number
  readonly limits?: Partial<Limits>
  /** Milliseconds of a clock that only goes forward, for the deadline; the host's `performance.now` unless given. */
  readonly elapsed?: () => number
}

export interface RunOptions {
  /** Milliseconds of `elapsed` after which the run throws `JqInterrupted`. */
  readonly interruptMs?: number
}

export interface Program {
  readonly source: string
  readonly reads: Reads
  /**
   * All outputs.
   * @throws JqError when the program raises an error, JqLimitError when it uses more than it may, JqInterrupted when it takes
   * longer than `interruptMs`; whatever a run threw, the next one starts afresh
   */
  run(input: Json, variables?: Variables, options?: RunOptions): Json[]
  /** The first output, `undefined` when the program has no output. Later outputs are not computed. */
  first(input: Json, variables?: Variables, options?: RunOptions): Json | undefined
  /** Hands over the outputs one by one; `true` from `take` ends the run. What came before an error has been handed over. */
  each(input: Json, take: (output: Json) => boolean, variables?: Variables, options?: RunOptions): void
  /**
   * Steps that the last run has used, also when it threw. The same program uses the same steps for the same input and variables,
   * whatever it ran before and however long it takes.
   */
  steps(): number
}

type Variables = Readonly<Record<string, Json>>

/**
 * Compiles a jq 1.8 program.
 * @throws JqSyntaxError for everything that can be known to be wrong before a run
 */
export function compile(source: string, options: CompileOptions = {}): Program {
  return compileSyntax(
    source,
    guarded(source, () => parse(source)),
    options,
  )
}

/** Compiles the syntax of a source, or of a part of it. */
export function compileSyntax(source: string, syntax: Node, options: CompileOptions): Program {
  const variables = new Set(options.variables)
  const ir = guarded(source, () => lower(syntax, { source, variables, library: createLibrary(options.clock !== undefined) }))
  const machine = createMachine({ ...defaultLimits, ...options.limits }, options.elapsed ?? (() => performance.now()), options.clock)
  return guarded(source, () => assemble(source, ir, machine))
}

/** Recursion past the end of the host's stack becomes an ordinary error. */
export function guarded<T>(source: string, build: () => T): T {
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

/** The error that a run throws; exceeded limits of the host become a JqLimitError. */
function translate(error: unknown): unknown {
  if (error instanceof JqError) return settled(error)
  if (!isStackOverflow(error)) return error
  const stack = error instanceof Error && /call stack|recursion/i.test(error.message)
  return stack
    ? new JqLimitError('depth', 'The program nested deeper than the host can follow')
    : new JqLimitError('size', 'The program made a value larger than the memory of the host')
}

/** The error with a value that JSON can represent. */
function settled(error: JqError): JqError {
  const value = toJson(error.value)
  return value === error.value ? error : new JqError(value, error.message)
}

function assemble(source: string, ir: Ir, machine: Machine): Program {
  const compiler = createCompiler(machine)
  const one: One | undefined = ir.count === 'maybe' ? compiler.one(ir) : undefined
  const many: Many = one === undefined ? compiler.many(ir) : asMany(one)
  const first: One = one ?? firstOf(many)
  // Outputs are searched for numbers that JSON cannot represent only if the program can produce one.
  const always = leavesJson(ir, makesNumbers)
  const settle = (value: Value): Json => (always || machine.beyondJson ? toJson(value) : asJson(value))
  const each: Program['each'] = (input, take, variables, options) => {
    reset(machine, variables, options?.interruptMs)
    let left = machine.limits.outputs
    try {
      many(orNull(input), rootEnv, (value) => {
        if (left-- <= 0) throw new JqLimitError('outputs', `The program gave more than ${machine.limits.outputs} outputs`)
        const stopped = take(settle(value))
        setRunning(machine)
        return stopped
      })
    } catch (error) {
      throw translate(error)
    } finally {
      finish(machine)
    }
  }
  return {
    source,
    reads: readsOf(ir),
    steps: () => stepsOf(machine),
    each,
    run(input, variables, options) {
      const outputs: Json[] = []
      each(
        input,
        (output) => {
          outputs.push(output)
          return false
        },
        variables,
        options,
      )
      return outputs
    },
    first(input, variables, options) {
      reset(machine, variables, options?.interruptMs)
      try {
        const value = first(orNull(input), rootEnv)
        return value === undefined ? undefined : settle(value)
      } catch (error) {
        throw translate(error)
      } finally {
        finish(machine)
      }
    },
  }
}

function asJson(value: Value): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- such a program has made no bigint, see `leavesJson`.
  return value as Json
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
