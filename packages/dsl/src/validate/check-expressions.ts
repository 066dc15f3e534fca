import { type ExpressionProblem, expressionProblem } from '#src/expression/expression.ts'
import { type FieldRead, fieldReads } from '#src/expression/field-reads.ts'
import { stageVariables } from '#src/shape/stage.ts'
import { objectAt } from '#src/shape/variables.ts'
import type { Components } from './components.ts'
import { syntaxHint, variableHint } from './expression-hints.ts'
import type { ExpressionSite, Facts, Finding, Scope } from './facts.ts'
import { undeclaredSecret } from './undeclared-secret.ts'
import { meant, quoted } from './wording.ts'

/** Of one expression at most so many undefined variables are reported. */
const undefinedVariablesMax = 10

/** Compiles every expression with the variables of its place, and checks the names that it reads of `$steps` and `$secrets`. */
export function checkExpressions(facts: Facts, components: Components): void {
  const variablesAt = createVariables(facts)
  for (const site of facts.expressions) {
    const variables = variablesAt(site)
    facts.findings.push(...compileFindings(site, variables))
    if (!site.source.includes('$steps') && !site.source.includes('$secrets')) continue
    facts.findings.push(...fieldFindings(site, variables, components))
  }
}

/** The variables of each place; expressions of one scope and moment share the list. */
function createVariables(facts: Facts): (site: ExpressionSite) => readonly string[] {
  const known = new Map<Scope, Map<string, readonly string[]>>()
  return (site) => {
    const { scope, stage } = site.place
    const byStage = known.get(scope) ?? new Map<string, readonly string[]>()
    known.set(scope, byStage)
    const found = byStage.get(stage)
    if (found !== undefined) return found
    // A policy of use.retries reads the error under the name that each catch gives it.
    const errors = stage === 'retry' ? ['error', ...facts.tasks.flatMap(({ task }) => errorVariables(task))] : []
    const variables = [...new Set([...stageVariables[stage], ...variablesOf(scope), ...errors])]
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

/** All undefined variables of an expression, or else what keeps it from being compiled. */
function compileFindings(site: ExpressionSite, variables: readonly string[]): Finding[] {
  const findings: Finding[] = []
  const assumed = [...variables]
  while (findings.length < undefinedVariablesMax) {
    const problem = expressionProblem(site.source, assumed)
    if (problem === undefined) return findings
    if (problem.kind !== 'undefined-variable') {
      findings.push(syntaxFinding(site, problem))
      return findings
    }
    const name = site.source.slice(problem.start, problem.end).replace(/^\$\s*/, '')
    const hint = variableHint(name, site.place.stage, variables)
    findings.push(findingAt(site, problem, { code: 'undefined_variable', message: `There is no variable $${name} here.`, hint }))
    // A name that does not help would be found again for ever.
    if (assumed.includes(name)) return findings
    assumed.push(name)
  }
  return findings
}

/** A finding at a piece of an expression. */
function findingAt(site: ExpressionSite, { start, end }: Pick<ExpressionProblem, 'start' | 'end'>, said: Said): Finding {
  return { ...said, path: site.path, at: 'value', piece: { value: site.value, offset: site.offset, start, end } }
}

type Said = Required<Pick<Finding, 'code' | 'message' | 'hint'>>

function syntaxFinding(site: ExpressionSite, problem: ExpressionProblem): Finding {
  const message = `The expression cannot be read: ${lowerFirst(problem.message)}${/[.!?]$/.test(problem.message) ? '' : '.'}`
  return findingAt(site, problem, { code: 'invalid_expression', message, hint: syntaxHint(site, problem) })
}

/** Names of steps and secrets that are read and do not exist. */
function fieldFindings(site: ExpressionSite, variables: readonly string[], components: Components): Finding[] {
  const findings: Finding[] = []
  const steps = stepsOf(site.place.scope)
  const bound = boundNames(site.source)
  for (const read of fieldReads(site.source)) {
    // A name that the expression binds itself is not ours any more, and one that is not there is reported already.
    if (!variables.includes(read.variable) || bound.has(read.variable)) continue
    if (read.variable === 'steps' && !steps.includes(read.field)) findings.push(unknownStep(site, read, steps))
    if (read.variable === 'secrets' && !components.secrets.includes(read.field)) {
      findings.push(findingAt(site, read, undeclaredSecret(read.field, components.secrets)))
    }
  }
  return findings
}

/** The variables that an expression binds with `as`. */
function boundNames(source: string): ReadonlySet<string> {
  const patterns = source.matchAll(/\bas\b([^|(]*)/g)
  return new Set([...patterns].flatMap(([, pattern = '']) => [...pattern.matchAll(/\$(\w+)/g)].map(([, name = '']) => name)))
}

function stepsOf(scope: Scope): string[] {
  const steps: string[] = []
  for (let outer: Scope | undefined = scope; outer !== undefined; outer = outer.parent) steps.push(...outer.steps)
  return steps
}

function unknownStep(site: ExpressionSite, read: FieldRead, steps: readonly string[]): Finding {
  const message = `There is no task ${quoted(read.field)} in this list or in one around it.`
  const hint = meant(read.field, steps, `$steps knows ${steps.slice(0, 10).join(', ') || 'no task here'}.`)
  return findingAt(site, read, { code: 'unknown_step', message, hint })
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1)
}
