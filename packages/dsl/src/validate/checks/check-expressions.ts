import { type FinalUpdate, finalUpdate, updatesInConditions } from '@millrace/jq'
import { type ExpressionProblem, expressionProblem } from '#src/expression/expression.ts'
import { type FieldRead, fieldReads } from '#src/expression/field-reads.ts'
import { stageVariables } from '#src/shape/stage.ts'
import { objectAt } from '#src/shape/variables.ts'
import { comparisonFindings } from './check-comparisons.ts'
import { createHabitCheck } from './check-habits.ts'
import { literalFindings } from './check-literals.ts'
import type { Components } from './components.ts'
import { syntaxHint, variableHint } from './expression-hints.ts'
import { resultFindings } from './check-results.ts'
import { createStepOrder } from './step-order.ts'
import type { ExpressionSite, Facts, Finding, Scope, Suggestions } from '#src/validate/facts.ts'
import { firstOf, meantName, quoted, shortened, undeclaredSecret } from '#src/validate/wording.ts'

/** Undefined variables that are reported for one expression, and likewise steps and secrets. */
const findingsMax = 10

/** Characters of one expression. */
export const expressionLengthMax = 65_536

/** Characters of all expressions of a document: compiling them dominates the cost of validation. */
export const expressionsLengthMax = 262_144

/** Compiles every expression with the variables of its place, and checks the names that it reads of `$steps` and `$secrets`. */
export function checkExpressions(facts: Facts, components: Components): void {
  const variablesAt = createVariables(facts)
  const habits = createHabitCheck(facts)
  const runsBefore = createStepOrder(facts)
  let length = 0
  for (const site of facts.expressions) {
    if (site.source.length > expressionLengthMax) {
      facts.findings.push(tooLong(site))
      continue
    }
    length += site.source.length
    if (length > expressionsLengthMax) {
      facts.findings.push(tooManyExpressions(site))
      return
    }
    const variables = variablesAt(site)
    const findings = compileFindings(facts.suggestions, site, variables)
    facts.findings.push(...findings)
    if (findings.length === 0)
      facts.findings.push(...habits(site, variables), ...literalFindings(site), ...comparisonFindings(site), ...resultFindings(site))
    if (findings.length === 0 && site.source.includes('=')) facts.findings.push(...assignmentFindings(site))
    if (!site.source.includes('$steps') && !site.source.includes('$secrets')) continue
    facts.findings.push(...fieldFindings(facts.suggestions, site, variables, { components, runsBefore }))
  }
}

function tooLong({ source, path }: ExpressionSite): Finding {
  const message = `The expression has ${source.length} characters, more than the ${expressionLengthMax} that are allowed.`
  return { code: 'text_too_long', path, at: 'value', message, hint: 'Split it over several tasks, or give its data as input.' }
}

function tooManyExpressions({ path }: ExpressionSite): Finding {
  const message = `The expressions of the document have more than ${expressionsLengthMax} characters together.`
  const hint = 'Split the workflow: move parts of it into workflows of their own and call them with run: workflow.'
  return { code: 'document_too_large', path, at: 'value', message, hint }
}

/** The variables of each place; expressions of one scope and moment share the set. */
function createVariables(facts: Facts): (site: ExpressionSite) => ReadonlySet<string> {
  const known = new Map<Scope, Map<string, ReadonlySet<string>>>()
  return (site) => {
    const { scope, stage } = site.place
    const byStage = known.get(scope) ?? new Map<string, ReadonlySet<string>>()
    known.set(scope, byStage)
    const found = byStage.get(stage)
    if (found !== undefined) return found
    // A policy of use.retries reads the error under the name that each catch gives it.
    const errors = stage === 'retry' ? ['error', ...facts.tasks.flatMap(({ task }) => errorVariables(task))] : []
    const variables = new Set([...stageVariables[stage], ...variablesOf(scope), ...errors])
    byStage.set(stage, variables)
    return variables
  }
}

function variablesOf(scope: Scope): string[] {
  const variables: string[] = []
  for (let outer: Scope | undefined = scope; outer !== undefined; outer = outer.parent) variables.push(...outer.variables)
  return variables
}

function errorVariables(task: Parameters<typeof objectAt>[0]): string[] {
  const caught = objectAt(task, 'catch')
  if (caught === undefined) return []
  return [typeof caught['as'] === 'string' ? caught['as'] : 'error']
}

/** All undefined variables of an expression, or else its syntax error. */
function compileFindings(suggestions: Suggestions, site: ExpressionSite, variables: ReadonlySet<string>): Finding[] {
  const findings: Finding[] = []
  // A document may have as many variables as expressions: only those whose names are in the source are given to the compiler.
  const assumed = namesIn(site.source).filter((name) => variables.has(name))
  while (findings.length < findingsMax) {
    const problem = expressionProblem(site.source, assumed)
    if (problem === undefined) return findings
    if (problem.kind !== 'undefined-variable') {
      findings.push(syntaxFinding(suggestions, site, problem))
      return findings
    }
    const name = site.source.slice(problem.start, problem.end).replace(/^\$\s*/, '')
    const hint = variableHint(suggestions, site, name, variables)
    const message = `There is no variable $${shortened(name)} here.`
    findings.push(findingAt(site, problem, { code: 'undefined_variable', message, hint }))
    // The same variable again would loop forever.
    if (assumed.includes(name)) return findings
    assumed.push(name)
  }
  return findings
}

function namesIn(source: string): string[] {
  return [...new Set([...source.matchAll(/\$\s*([A-Za-z_]\w*)/g)].map(([, name = '']) => name))]
}

/** A finding about a part of an expression. */
function findingAt(site: ExpressionSite, { start, end }: Pick<ExpressionProblem, 'start' | 'end'>, wording: Wording): Finding {
  return { ...wording, path: site.path, at: 'value', piece: { value: site.value, offset: site.offset, start, end } }
}

type Wording = Required<Pick<Finding, 'code' | 'message' | 'hint'>>

function syntaxFinding(suggestions: Suggestions, site: ExpressionSite, problem: ExpressionProblem): Finding {
  const problemText = inWords(problem.message, site.source.slice(problem.start, problem.end))
  const message = `The expression cannot be read: ${lowerFirst(problemText)}${/[.!?]$/.test(problemText) ? '' : '.'}`
  return findingAt(site, problem, { code: 'invalid_expression', message, hint: syntaxHint(suggestions, site, problem) })
}

interface Named {
  readonly components: Components
  readonly runsBefore: ReturnType<typeof createStepOrder>
}

/** Names of steps and secrets that are read and do not exist, and steps that cannot have run. */
function fieldFindings(
  suggestions: Suggestions,
  site: ExpressionSite,
  variables: ReadonlySet<string>,
  { components, runsBefore }: Named,
): Finding[] {
  const findings: Finding[] = []
  const bound = boundNames(site.source)
  for (const read of fieldReads(site.source)) {
    // Skips variables that the expression itself binds, and undefined ones, which are reported already.
    if (!variables.has(read.variable) || bound.has(read.variable)) continue
    if (read.variable === 'steps') {
      if (!hasStep(site.place.scope, read.field)) findings.push(unknownStep(suggestions, site, read))
      else if (!runsBefore(site.path, read.field)) findings.push(laterStep(site, read))
    }
    if (read.variable === 'secrets' && !components.secrets.has(read.field)) {
      findings.push(findingAt(site, read, undeclaredSecret(suggestions, read.field, components.secrets)))
    }
    if (findings.length >= findingsMax) return findings
  }
  return findings
}

/** The variables that an expression binds with `as`. */
function boundNames(source: string): ReadonlySet<string> {
  const patterns = source.matchAll(/\bas\b([^|(]*)/g)
  return new Set([...patterns].flatMap(([, pattern = '']) => [...pattern.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)))
}

function hasStep(scope: Scope, name: string): boolean {
  for (let outer: Scope | undefined = scope; outer !== undefined; outer = outer.parent) if (outer.steps.has(name)) return true
  return false
}

function* stepsOf(scope: Scope): Generator<string, void> {
  for (let outer: Scope | undefined = scope; outer !== undefined; outer = outer.parent) yield* outer.steps
}

function unknownStep(suggestions: Suggestions, site: ExpressionSite, read: FieldRead): Finding {
  const message = `There is no task ${quoted(read.field)} in this list or in one around it.`
  const known = firstOf(stepsOf(site.place.scope), 10).join(', ')
  const hint = meantName(suggestions, read.field, stepsOf(site.place.scope), `$steps knows ${known === '' ? 'no task here' : known}.`)
  return findingAt(site, read, { code: 'unknown_step', message, hint })
}

function laterStep(site: ExpressionSite, read: FieldRead): Finding {
  const message = `$steps has no ${quoted(read.field)} here: no way leads from that task to this one, so that this reads null.`
  const hint = 'Put that task before this one, or read a task that runs before.'
  return { ...findingAt(site, read, { code: 'later_step', message, hint }), severity: 'warning' }
}

/** `.a = 1` in a condition changes data and is always true; `==` compares. */
function assignmentFindings(site: ExpressionSite): Finding[] {
  const whole = site.condition === true ? finalUpdate(site.source) : undefined
  return [...(whole === undefined ? [] : [whole]), ...updatesInConditions(site.source)].map((update) => assignmentFinding(site, update))
}

function assignmentFinding(site: ExpressionSite, update: FinalUpdate): Finding {
  const message = `This condition is always true: ${update.operator} changes the data and compares nothing.`
  const hint = update.operator === '=' ? 'Write == to compare.' : 'Write a comparison, for example .total > 10.'
  return findingAt(site, update, { code: 'invalid_expression', message, hint })
}

/** What jq names by the kinds of its lexer, in words. */
const kinds: Readonly<Record<string, string>> = {
  QQSTRING_INTERP_START: String.raw`'\('`,
  QQSTRING_INTERP_END: "')'",
  QQSTRING_START: 'a text',
  QQSTRING_TEXT: 'a text',
  QQSTRING_END: 'the closing quote',
  IDENT: 'a name',
  FIELD: 'a field',
  BINDING: 'a variable',
  LITERAL: 'a number',
  FORMAT: 'a format',
}

function inWords(message: string, wrong: string): string {
  if (!message.startsWith('syntax error')) return message
  const sign = wrong === "'" ? 'a single quote' : wrong.length === 1 ? `'${wrong}'` : 'this character'
  return message
    .replace('INVALID_CHARACTER', () => sign)
    .replace('QQSTRING_TEXT or QQSTRING_INTERP_START or QQSTRING_END', 'the closing quote')
    .replaceAll(/\b[A-Z_]+\b/g, (kind) => kinds[kind] ?? kind)
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
