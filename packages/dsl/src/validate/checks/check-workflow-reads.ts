import { JqSyntaxError } from '@millrace/jq'
import { type Budget, objectOf, type Traced, traceProgram, unknown } from '@millrace/jq/tracing'
import type { Json } from '#src/json.ts'
import { pointerOf } from '#src/parse/pointer.ts'
import { isObject, objectAt } from '#src/shape/variables.ts'
import type { ExpressionSite, Facts, Finding } from '#src/validate/facts.ts'
import { closeName, firstOf, quoted } from '#src/validate/wording.ts'
import { inputMembers } from './input-members.ts'

/** Members of `$workflow`. */
const workflowMembers = ['id', 'definition', 'input', 'startedAt'] as const

const findingsMax = 200
/** Nodes of expressions that are followed: far more than those of the largest definitions that people write. */
const nodesMax = 100_000

/**
 * Warns of an expression that reads a member of `$workflow` which does not exist, or one of `$workflow.input` which the input schema does not name.
 * Expressions that cannot be compiled are left alone, and so is a read that says what counts for an absent member.
 */
export function checkWorkflowReads(facts: Facts, document: Json): void {
  // In a function on its own, `input.schema` describes its arguments.
  if (!isObject(document) || !('document' in document)) return
  const read = facts.expressions.filter(({ source }) => /\$\s*workflow\b/.test(source))
  if (read.length === 0) return
  const names = inputMembers(objectAt(objectAt(document, 'input') ?? {}, 'schema') ?? {})
  const broken = new Set(facts.findings.flatMap(({ severity, path }) => (severity === 'warning' ? [] : [pointerOf(path)])))
  const budget = { left: nodesMax }
  let left = findingsMax
  for (const site of read) {
    if (broken.has(pointerOf(site.path))) continue
    for (const lack of lacksOf(site, names, budget)) {
      const findings = findingsOf(site, lack, facts).slice(0, left)
      left -= findings.length
      facts.findings.push(...findings)
    }
  }
}

/** A member that is read in vain, and those that are there. */
interface Lack {
  readonly name: string
  readonly of: 'workflow' | 'input'
  readonly members: readonly string[]
}

function lacksOf({ source, condition }: ExpressionSite, names: readonly string[] | undefined, budget: Budget): readonly Lack[] {
  const input = names === undefined ? unknown : closed(names, new Map())
  const workflow = closed(workflowMembers, new Map([['input', input]]))
  const lacks = new Map<string, Lack>()
  const variables = new Map<string, Traced>(Array.from(source.matchAll(/\$\s*([A-Za-z_]\w*)/g), ([, name = '']) => [name, unknown]))
  try {
    traceProgram(source, {
      input: unknown,
      variables: variables.set('workflow', workflow),
      found: () => undefined,
      lacks({ name, of }) {
        if (of === workflow) lacks.set(`workflow ${name}`, { name, of: 'workflow', members: workflowMembers })
        if (of === input && names !== undefined) lacks.set(`input ${name}`, { name, of: 'input', members: names })
      },
      as: condition === true ? 'condition' : 'value',
      budget,
    })
  } catch (error) {
    if (!(error instanceof JqSyntaxError)) throw error
  }
  return [...lacks.values()]
}

function closed(names: readonly string[], known: ReadonlyMap<string, Traced>): Traced {
  return objectOf(new Map(names.map((name) => [name, known.get(name) ?? unknown])), true)
}

/** One finding for each place that reads the member. */
function findingsOf(site: ExpressionSite, lack: Lack, { suggestions }: Facts): readonly Finding[] {
  const { name, of, members } = lack
  const close = closeName(suggestions, name, members)
  const message =
    of === 'workflow' ? `$workflow has no member ${quoted(name)}.` : `The input schema of the workflow has no member ${quoted(name)}.`
  const finding = { code: 'unknown_member', severity: 'warning', path: site.path, at: 'value', message } as const
  const places = placesOf(site.source, lack)
  if (places.length === 0) return [{ ...finding, hint: close === undefined ? listOf(lack) : `Did you mean .${close}?` }]
  const hint = close === undefined ? listOf(lack) : `Did you mean ${quoted(close)}?`
  return places.map((place) => ({ ...finding, hint, piece: { value: site.value, offset: site.offset, ...place } }))
}

function listOf({ of, members }: Lack): string {
  const shown = firstOf(members, namesMax).join(', ') + (members.length > namesMax ? ', …' : '')
  if (of === 'workflow') return `Its members are ${shown}.`
  const others = 'Add it to input.schema, or set additionalProperties: true there if the input may have others.'
  return members.length === 0 ? others : `It has ${shown}. ${others}`
}

const namesMax = 8

/** A step of a path by a fixed name: `.name`, `."name"`, `["name"]` or `.["name"]`. */
const step = String.raw`\s*(?:\.\s*([A-Za-z_]\w*)|\.?\s*\[?\s*"([^"\\]*)"\s*\]?)`
const patterns = {
  workflow: new RegExp(String.raw`\$\s*workflow${step}`, 'dg'),
  input: new RegExp(String.raw`\$\s*workflow${step}${step}`, 'dg'),
}

/** Where an expression names the member. */
function placesOf(source: string, { name, of }: Lack): readonly { readonly start: number; readonly end: number }[] {
  return Array.from(source.matchAll(patterns[of])).flatMap(({ indices, ...match }) => {
    const [first = match[2], second = match[4]] = [match[1], match[3]]
    if (of === 'workflow' ? first !== name : first !== 'input' || second !== name) return []
    const [start, end] = (of === 'workflow' ? (indices?.[1] ?? indices?.[2]) : (indices?.[3] ?? indices?.[4])) ?? []
    return start === undefined || end === undefined ? [] : [{ start, end }]
  })
}
