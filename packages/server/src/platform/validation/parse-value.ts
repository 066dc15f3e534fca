import type { InvalidPart } from '@millrace/contract'
import type { z } from 'zod'
import { escapePointer } from '#platform/json-pointer.ts'
import { issueText, typesText } from './issue-text.ts'
import { namesAt } from './names-at.ts'

export type ParsedValue<Value> =
  | { readonly data: Value; readonly errors?: undefined }
  | { readonly data?: undefined; readonly errors: readonly InvalidPart[] }

/** Parses a value from outside by its schema. Pointers of the invalid parts begin with `base`; their details say what to write instead. */
export function parseValue<Schema extends z.ZodType>(schema: Schema, value: unknown, base = ''): ParsedValue<z.output<Schema>> {
  const result = schema.safeParse(value, { error: issueText, reportInput: true })
  if (result.success) return { data: result.data }
  return { errors: result.error.issues.flatMap((issue) => invalidParts(issue, { schema, path: [], base })) }
}

/** Where the paths of issues begin. */
interface Place {
  readonly schema: z.ZodType
  readonly path: readonly PropertyKey[]
  readonly base: string
}

function invalidParts(issue: z.core.$ZodIssue, { schema, path: before, base }: Place): InvalidPart[] {
  const path = [...before, ...issue.path]
  const pointer = base + path.map((token) => `/${escapePointer(String(token))}`).join('')
  if (issue.code === 'unrecognized_keys') {
    const known = namesAt(schema, path)
    return issue.keys.map((key) => ({ pointer: `${pointer}/${escapePointer(key)}`, detail: unknownText(key, known) }))
  }
  if (issue.code === 'invalid_union') return unionParts(issue, pointer, { schema, path, base })
  return [{ pointer, detail: issue.message }]
}

/** Names that are listed for an unknown one: those of the longest query fit. */
const listedMax = 24

function unknownText(name: string, known: readonly string[]): string {
  const meant = known.find((one) => bare(one) === bare(name))
  if (meant !== undefined) return `Is not known here. Did you mean "${meant}"?`
  // The values of a workflow are often written beside the member that takes them.
  if (known.includes('input')) return 'Is not known here. Put values for the workflow below "input".'
  if (known.length === 0 || known.length > listedMax) return 'Is not known here.'
  return `Is not known here; possible are ${known.join(', ')}.`
}

/** A name as other conventions of writing have it too: `time_zone` and `timezone` mean `timeZone`. */
function bare(name: string): string {
  return name.replaceAll(/[_-]/g, '').toLowerCase()
}

/** A value that has none of several forms: the faults of the form that it comes nearest to. */
function unionParts(issue: z.core.$ZodIssueInvalidUnion, pointer: string, place: Place): InvalidPart[] {
  const forms = formsOf(issue)
  const [nearest] = forms.toSorted((left, right) => depth(right) - depth(left) || left.length - right.length)
  if (nearest === undefined || nearest.length === 0) return [{ pointer, detail: issue.message }]
  if (depth(nearest) === 0) return [{ pointer, detail: formsText(forms.flatMap(([first]) => (first === undefined ? [] : [first]))) }]
  return nearest.flatMap((inner) => invalidParts(inner, place))
}

/** The faults by form; forms that have forms themselves count one by one. */
function formsOf({ errors }: z.core.$ZodIssueInvalidUnion): readonly (readonly z.core.$ZodIssue[])[] {
  return errors.flatMap((form) => {
    const [first] = form
    return first?.code === 'invalid_union' && first.path.length === 0 && first.errors.length > 0 ? formsOf(first) : [form]
  })
}

/** What a value must be of which no form has the type, or whose type fits and whose content does not. */
function formsText(issues: readonly z.core.$ZodIssue[]): string {
  const fitting = issues.filter(({ code }) => code !== 'invalid_type')
  if (fitting.length > 0) return [...new Set(fitting.map(({ message }) => message))].join(' Or: ')
  return typesText(issues.flatMap((issue) => (issue.code === 'invalid_type' ? [issue] : [])))
}

/** How far into the value a form fits: a fault at the value itself is 0. */
function depth(issues: readonly z.core.$ZodIssue[]): number {
  return Math.min(...issues.map(({ path, code }) => path.length + (code === 'unrecognized_keys' ? 1 : 0)))
}
