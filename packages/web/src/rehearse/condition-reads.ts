import { hasErasureMark } from '@millrace/contract/transparency'
import { type Json, stageVariables } from '@millrace/dsl'
import { masked, notComputed, notShown, readVariable, type Scope } from '@millrace/engine/replay'
import type { Program } from '@millrace/jq'
import { traceProgram, unknown, followed } from '@millrace/jq/tracing'

/** A value that a condition reads, by its path, such as `.order.total` or `$context.limit`. */
export interface ConditionRead {
  readonly path: string
  readonly value: ReadValue
}

export type ReadValue =
  /** As JSON, cut where it is long; of a path through lists the first few. */
  | { readonly kind: 'value'; readonly text: string }
  /** `at`: the first part of the path that is not there. */
  | { readonly kind: 'missing'; readonly at: string }
  | { readonly kind: 'masked' }
  | { readonly kind: 'erased' }

/** What is evaluated: the source on a value, with what variables are worth. */
export interface Evaluated {
  readonly source: string
  readonly dot: Json
  readonly variables: Readonly<Record<string, Json>>
  /** Whether a mask in a value stands for a secret; otherwise it is what the run itself had. */
  readonly masks: boolean
}

const traceBudget = 5_000
const charactersMax = 160
const valuesMax = 5

/** The variables that a source names, with their values. */
export function variablesIn(source: string, scope: Scope): Readonly<Record<string, Json>> {
  const known = new Set(Object.values(stageVariables).flat())
  for (let local = scope.place.locals; local !== undefined; local = local.outer) known.add(local.name)
  const names = new Set(Array.from(source.matchAll(/\$\s*([A-Za-z_]\w*)/g), ([, name = '']) => name).filter((name) => known.has(name)))
  return Object.fromEntries(Array.from(names, (name) => [name, readVariable(name, scope)]))
}

/** The values that a condition reads; those of which it reads a part alone by that part. */
export function readsOf(program: Program, { source, dot, variables, masks }: Evaluated): readonly ConditionRead[] {
  const names = [...program.reads.variables]
  const own = program.reads.paths.length === 0 ? [] : pathsFrom(source, names, undefined)
  const ofDot = own.length > 0 ? own : program.reads.paths.includes('.') && names.length === 0 ? [''] : []
  return [
    ...ofDot.map((path) => readAt('', path, dot, masks)),
    ...names.flatMap((name) => {
      const paths = pathsFrom(source, names, name)
      return (paths.length === 0 ? [''] : paths).map((path): ConditionRead => {
        if (name === 'secrets') return { path: rooted(`$${name}`, path), value: { kind: 'masked' } }
        return readAt(`$${name}`, path, variables[name] ?? null, masks)
      })
    }),
  ]
}

/** The places of one variable, or of the input, that a source reads. */
function pathsFrom(source: string, names: readonly string[], name: string | undefined): readonly string[] {
  const paths = new Set<string>()
  traceProgram(source, {
    input: name === undefined ? followed : unknown,
    variables: new Map(names.map((one) => [one, one === name ? followed : unknown])),
    found: (path) => void paths.add(path),
    as: 'condition',
    budget: { left: traceBudget },
  })
  const isPart = (path: string) => [...paths].some((longer) => longer.startsWith(path) && /^[.[]/.test(longer.slice(path.length)))
  return [...paths].filter((path) => !isPart(path))
}

function rooted(root: string, path: string): string {
  if (path === '') return root === '' ? '.' : root
  return path.startsWith('[') && root !== '' ? `${root}${path}` : `${root}.${path}`
}

function readAt(root: string, path: string, value: Json, masks: boolean): ConditionRead {
  const found = partsAt(value, Array.from(path.matchAll(stepPattern), stepOf), '')
  const values = found.flatMap((part) => ('value' in part ? [part.value] : []))
  const [first] = found
  const shown = rooted(root, path)
  if (values.length === 0 && first !== undefined && 'missing' in first)
    return { path: shown, value: { kind: 'missing', at: rooted(root, first.missing) } }
  if (values.some((one) => hides(one, isErased))) return { path: shown, value: { kind: 'erased' } }
  if (values.some((one) => hides(one, (text) => text.includes(notShown) || (masks && text.includes(masked)))))
    return { path: shown, value: { kind: 'masked' } }
  const texts = values.slice(0, valuesMax).map((one) => shortened(JSON.stringify(one)))
  return { path: shown, value: { kind: 'value', text: [...texts, ...(values.length > valuesMax ? ['…'] : [])].join(', ') } }
}

const stepPattern = /\.?([A-Za-z_]\w*)|\[("(?:[^"\\]|\\.)*")\]|\[\]/g

interface Step {
  /** Undefined for every element. */
  readonly name: string | undefined
  readonly text: string
}

function stepOf([text, plain, quoted]: RegExpMatchArray): Step {
  return { text, name: plain ?? (quoted === undefined ? undefined : String(JSON.parse(quoted))) }
}

type Part = { readonly value: Json } | { readonly missing: string }

/** The values at a path, or the first part of it that a value does not have. */
function partsAt(value: Json, [step, ...rest]: readonly Step[], before: string): readonly Part[] {
  if (step === undefined) return [{ value }]
  const path = before + step.text
  if (step.name === undefined) {
    if (typeof value !== 'object' || value === null) return [value === null ? { missing: before } : { value }]
    return Object.values(value).flatMap((element: Json) => partsAt(element, rest, path))
  }
  if (value === null) return [{ missing: before === '' ? path : before }]
  // What has no members makes the condition fail: its value is the reason.
  if (typeof value !== 'object' || Array.isArray(value)) return [{ value }]
  const member = new Map(Object.entries(value)).get(step.name)
  return member === undefined ? [{ missing: path }] : partsAt(member, rest, path)
}

function hides(value: Json, isHidden: (text: string) => boolean): boolean {
  if (typeof value === 'string') return isHidden(value)
  return typeof value === 'object' && value !== null && Object.values(value).some((member: Json) => hides(member, isHidden))
}

const isErased = (text: string) => text.includes(notComputed) || hasErasureMark(text)

function shortened(text: string): string {
  return text.length > charactersMax ? `${text.slice(0, charactersMax)}…` : text
}
