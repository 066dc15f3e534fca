import { JqError, JqInterrupted, JqLimitError, type LimitName, type Span } from '#src/errors.ts'
import { type CompileOptions, compileSyntax, guarded, type Program } from '#src/program.ts'
import { parse } from '#src/syntax/parser.ts'
import { stringify } from '#src/values/json-text.ts'
import { typeOf, type Json, type TypeName } from '#src/values/value.ts'
import { type Inside, prefixesOf, type Prefix } from './prefixes.ts'
import { createExtents } from './stage-extent.ts'

/** A value of a stage as JSON text. */
export interface StageValue {
  readonly type: TypeName
  readonly text: string
  /** Whether the text is only the beginning. */
  readonly cut: boolean
}

export interface StageError {
  readonly message: string
  /** The limit that the stage exceeded; undefined for an error of the program itself. */
  readonly limit: LimitName | undefined
}

/** What a program has made after one of its stages. The span is the code of the stage. */
export interface Stage extends Span {
  /** Whether the stage is an array around the stages before it. */
  readonly collects: boolean
  /** Of a stage inside of a later one: it is shown for the first element, for the branch that is taken, or for one value of an object. */
  readonly inside?: Inside
  /** The first outputs. */
  readonly values: readonly StageValue[]
  /** Outputs that were counted; there are more when `counted` is false. */
  readonly count: number
  readonly counted: boolean
  /** The error that this stage raised, after its outputs. The same error is not repeated at the stages after it. */
  readonly error: StageError | undefined
  /** False for a stage that an error, or a limit, before it keeps from running. */
  readonly reached: boolean
}

export interface StagesOptions extends Pick<CompileOptions, 'clock' | 'elapsed'> {
  readonly variables?: Readonly<Record<string, Json>>
  /** Steps of all stages together. */
  readonly steps?: number
  /** Milliseconds of all stages together. */
  readonly deadlineMs?: number
  /** Of a longer program the first stages and the last one are returned. */
  readonly stagesMax?: number
  /** Values of one stage that are returned. */
  readonly valuesMax?: number
  /** Characters of the text of one value. */
  readonly charactersMax?: number
}

const defaults = { steps: 1_000_000, deadlineMs: 200, stagesMax: 32, valuesMax: 5, charactersMax: 4_000 }
/** Outputs of a stage that are counted. An error after them is not found at its stage. */
const countMax = 1_000
/** A longer program is one stage: each stage compiles the program anew. */
const sourceLengthMax = 8_192
const sizeMax = 10_000_000
/** Calls inside one another, as the engine of workflows allows them. */
const depthMax = 1_100

/**
 * The values after each `|` of a program, in the order of the text. Every stage runs the program up to its end, so that its values are those that
 * the program makes there. Pipes in parentheses and in an array are stages too. Those inside of `map`, of branches, loops and objects come before the stage
 * that they are inside of, with the values of the first element or of the branch that is taken; those in other arguments and in definitions are no stages.
 * @throws JqSyntaxError for a program that cannot be compiled
 */
export function stages(source: string, input: Json, options: StagesOptions = {}): readonly Stage[] {
  const bounds = { ...defaults, ...withoutUndefined(options) }
  const elapsed = options.elapsed ?? (() => performance.now())
  const startedAt = elapsed()
  const syntax = guarded(source, () => parse(source))
  const whole = compilerOf(source, options)(syntax, bounds.steps, bounds.deadlineMs)
  const extentOf = createExtents(source)
  const prefixes = source.length > sourceLengthMax ? [wholeOf(syntax)] : shortened(prefixesOf(syntax), bounds.stagesMax)
  const found: Stage[] = []
  let steps = bounds.steps
  for (const [index, prefix] of prefixes.entries()) {
    const { collects, inside } = prefix
    const place = { ...extentOf(prefix), collects, ...(inside === undefined ? {} : { inside }) }
    const leftMs = bounds.deadlineMs - (elapsed() - startedAt)
    const stopped = found.some(({ reached, error, values }) => !reached || error?.limit !== undefined || (error && values.length === 0))
    if (stopped || steps <= 0 || leftMs <= 0) {
      found.push({ ...place, values: [], count: 0, counted: true, error: undefined, reached: false })
      continue
    }
    const isLast = index === prefixes.length - 1
    const program = isLast && steps === bounds.steps ? whole : compilerOf(source, options)(prefix.program, steps, leftMs)
    const ran = run(program, input, options.variables ?? {}, bounds)
    steps -= program.steps()
    const isRepeated = found.some(({ error }) => error !== undefined && error.message === ran.error?.message)
    const reached = !isRepeated || ran.values.length > 0
    found.push({ ...place, ...ran, error: isRepeated ? undefined : ran.error, reached })
  }
  return found
}

function withoutUndefined(options: StagesOptions): Partial<typeof defaults> {
  return Object.fromEntries(Object.entries(options).filter(([key, value]) => key in defaults && value !== undefined))
}

function wholeOf(program: Prefix['program']): Prefix {
  return { program, node: program, collects: false }
}

function shortened(prefixes: readonly Prefix[], max: number): readonly Prefix[] {
  return prefixes.length <= max ? prefixes : [...prefixes.slice(0, max - 1), ...prefixes.slice(-1)]
}

function compilerOf(source: string, { variables, clock, elapsed }: StagesOptions) {
  return (program: Prefix['program'], steps: number, deadlineMs: number): Program =>
    compileSyntax(source, program, {
      variables: Object.keys(variables ?? {}),
      limits: { steps, deadlineMs, depth: depthMax, size: sizeMax, outputs: countMax + 1 },
      ...(clock === undefined ? {} : { clock }),
      ...(elapsed === undefined ? {} : { elapsed }),
    })
}

function run(
  program: Program,
  input: Json,
  variables: Readonly<Record<string, Json>>,
  { valuesMax, charactersMax }: Pick<typeof defaults, 'valuesMax' | 'charactersMax'>,
): Pick<Stage, 'values' | 'count' | 'counted' | 'error'> {
  const values: StageValue[] = []
  let count = 0
  let counted = true
  const take = (value: Json): boolean => {
    if (count === countMax) {
      counted = false
      return true
    }
    count += 1
    if (values.length < valuesMax) values.push(shown(value, charactersMax))
    return false
  }
  try {
    program.each(input, take, variables)
    return { values, count, counted, error: undefined }
  } catch (error) {
    return { values, count, counted, error: errorOf(error) }
  }
}

function shown(value: Json, charactersMax: number): StageValue {
  const text = stringify(value, charactersMax)
  return { type: typeOf(value), text: text.slice(0, charactersMax), cut: text.length > charactersMax }
}

function errorOf(error: unknown): StageError {
  if (error instanceof JqError) return { message: error.message, limit: undefined }
  if (error instanceof JqLimitError) return { message: error.message, limit: error.limit }
  if (error instanceof JqInterrupted) return { message: error.message, limit: 'deadline' }
  throw error
}
