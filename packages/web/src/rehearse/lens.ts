import { type Json, isRuntimeExpression, type Stage as Moment, stageVariables, unwrapExpression } from '@millrace/dsl'
import { readVariable, type Scope, type Steps } from '@millrace/engine/replay'
import { JqSyntaxError } from '@millrace/jq'
import { type Stage, stages } from '@millrace/jq/stages'

/** An expression of a task as it is typed. */
export interface LensRequest {
  /** The pointer of the task. */
  readonly task: string
  /** When the task evaluates the expression. */
  readonly moment: Moment
  readonly text: string
  /** Whether the text is an expression also without `${ }`. */
  readonly bare: boolean
}

export interface LensRow extends Omit<Stage, 'start' | 'end'> {
  readonly code: string
}

/** What an expression makes of the values of the rehearsal. `unknown`: the rehearsal has no value there. */
export type Lens =
  | { readonly kind: 'stages'; readonly rows: readonly LensRow[] }
  | { readonly kind: 'broken'; readonly message: string }
  | { readonly kind: 'unknown' }

/** What a task could read when the rehearsal entered it the last time. */
interface Entered {
  readonly scope: Scope
  readonly context: Json
  readonly nowMs: number
  /** How many outputs each list of `scope` had, innermost first. */
  readonly counts: readonly number[]
}

/** What each task of a rehearsal could read, by the pointer of the task. */
export type Scopes = ReadonlyMap<string, Entered>

/** Keeps what the tasks of a rehearsal can read; the walk continues with the same objects. */
export function recordScopes() {
  const scopes = new Map<string, Entered>()
  const entered = (reference: string, scope: Scope): void => {
    const { strand, steps } = scope.place
    const counts: number[] = []
    for (let list = steps; list !== undefined; list = list.outer) counts.push(list.outputs.size)
    scopes.set(reference, { scope, context: strand.context, nowMs: strand.execution.nowMs, counts })
  }
  return { scopes, entered }
}

const bounds = { steps: 400_000, deadlineMs: 100, stagesMax: 24, valuesMax: 5, charactersMax: 4_000 }

/** The values after each stage of an expression; undefined for a text that is no expression. */
export function lensOf(scopes: Scopes, { task, moment, text, bare }: LensRequest, elapsed: () => number): Lens | undefined {
  if (text.trim() === '' || !(bare || isRuntimeExpression(text))) return undefined
  const entered = scopes.get(task)
  const dot = entered === undefined ? undefined : dotOf(entered.scope, moment)
  if (entered === undefined || dot === undefined) return { kind: 'unknown' }
  const source = unwrapExpression(text)
  const variables = variablesOf(entered, moment, source)
  try {
    const found = stages(source, dot, { ...bounds, variables, clock: () => entered.nowMs, elapsed })
    return { kind: 'stages', rows: found.map(({ start, end, ...stage }) => ({ ...stage, code: source.slice(start, end) })) }
  } catch (error) {
    if (error instanceof JqSyntaxError) return { kind: 'broken', message: error.message }
    throw error
  }
}

function dotOf({ rawInput, input, rawOutput, output }: Scope, moment: Moment): Json | undefined {
  switch (moment) {
    case 'taskInput':
      return rawInput
    case 'task':
      return input
    case 'taskOutput':
      return rawOutput
    case 'taskExport':
      return output
    default:
      return undefined
  }
}

/** The variables that the source may mean, with their values. */
function variablesOf({ scope, context, counts }: Entered, moment: Moment, source: string): Readonly<Record<string, Json>> {
  const allowed = new Set(stageVariables[moment])
  for (let local = scope.place.locals; local !== undefined; local = local.outer) allowed.add(local.name)
  const place = { ...scope.place, steps: stepsThen(scope.place.steps, counts) }
  const variables: Record<string, Json> = Object.create(null)
  for (const [, name = ''] of source.matchAll(/\$\s*([A-Za-z_]\w*)/g)) {
    if (allowed.has(name)) variables[name] = name === 'context' && !isLocal(scope, name) ? context : readVariable(name, { ...scope, place })
  }
  return variables
}

function isLocal({ place }: Scope, name: string): boolean {
  for (let { locals } = place; locals !== undefined; locals = locals.outer) if (locals.name === name) return true
  return false
}

/** The outputs that were there when the task was entered: later ones were added behind them. */
function stepsThen(steps: Steps | undefined, [count = 0, ...outer]: readonly number[]): Steps | undefined {
  if (steps === undefined) return undefined
  return { outputs: new Map([...steps.outputs].slice(0, count)), outer: stepsThen(steps.outer, outer) }
}
