import { complete } from '@millrace/jq'
import type { ExpressionProblem } from '#src/expression/expression.ts'
import { type Stage, reservedVariables } from '#src/shape/stage.ts'
import type { ExpressionSite, Suggestions } from '#src/validate/facts.ts'
import { bracketHint } from './bracket-hint.ts'
import { pathBefore } from './check-habits.ts'
import { bracesHint, hintForN8n } from '#src/validate/other-languages.ts'
import { closeName, firstOf } from '#src/validate/wording.ts'

/** The hint for a variable that does not exist. */
export function variableHint(
  suggestions: Suggestions,
  { source, place: { stage } }: ExpressionSite,
  name: string,
  variables: ReadonlySet<string>,
): string {
  if (stage === 'label') return 'A label is evaluated over the input of the execution alone: write . (a dot) for it.'
  const elsewhere = reservedVariables.has(name) ? elsewhereHint(name, stage) : undefined
  if (elsewhere !== undefined) return elsewhere
  const meant = hintForN8n(name, source)
  if (meant !== undefined) return meant
  const close = closeName(suggestions, name, variables)
  if (close !== undefined) return `Did you mean $${close}?`
  // A name that no expression can write is reported where it is given.
  const known = firstOf(variables, shownMax).filter((variable) => /^[A-Za-z_]\w*…?$/.test(variable))
  return `Known here are ${known.map((variable) => `$${variable}`).join(', ')}${variables.size > shownMax ? ' and others' : ''}.`
}

const shownMax = 20

/** For the variables that the DSL has, but not at this moment. */
function elsewhereHint(name: string, stage: Stage): string {
  if (name === 'input' && stage === 'taskInput') return 'Write . (a dot): here the expression is evaluated on the input itself.'
  if (name === 'input' && stage === 'workflow') return 'Write . (a dot) for the raw input, or $workflow.input.'
  if (name === 'input') return 'Write $workflow.input for the input of the workflow.'
  if (name === 'output' && (stage === 'taskOutput' || stage === 'workflowOutput'))
    return 'Write . (a dot): here the expression is evaluated on the output itself.'
  if (name === 'output') return '$output exists in export.as only.'
  if (name === 'context') return '$context is empty before the first task; it can be read from the tasks on.'
  if (name === 'authorization') return '$authorization exists inside of a task, from its definition on.'
  return `$${name} can be read inside of tasks only.`
}

/** Operators of other languages, and the hint with those of jq. */
const habits: readonly (readonly [string, string])[] = [
  ['===', 'Write == in place of ===.'],
  ['=>', 'Write >= in place of =>.'],
  ['&&', 'Write "and" in place of &&.'],
  ['||', 'Write "or" in place of ||.'],
  ["'", 'Write double quotes around text.'],
  ['!', 'Write ( … | not) in place of !.'],
]

/** The hint for source that is not jq. */
export function syntaxHint(suggestions: Suggestions, site: ExpressionSite, problem: ExpressionProblem): string {
  const wrong = site.source.slice(problem.start, problem.end)
  if (/\$\{/.test(site.source)) return 'A string is one expression: put all of it into one ${ … }, and join text with "…\\( … )…".'
  const braced = bracesHint(site.source)
  if (braced !== undefined) return braced
  const curly = /[“”„«»‘’]/.exec(site.source.slice(Math.max(0, problem.start - 1), problem.end + 1))
  if (curly !== null) return `Replace ${curly[0]} by a straight double quote: ".`
  if (problem.kind === 'undefined-function') return functionHint(suggestions, wrong, site.source.slice(problem.end))
  const method = wrong.startsWith('(') ? /\.([A-Za-z]+)$/.exec(site.source.slice(0, problem.start))?.[1] : undefined
  if (method !== undefined) return methodHint(method, pathBefore(site.source, problem.start - method.length - 1))
  // The compiler may point at the last character of what it does not know.
  const habit = habits.find(([written]) => [0, 1, 2].some((back) => site.source.startsWith(written, problem.start - back)))
  if (habit !== undefined) return habit[1]
  if (/\s\?\s[^:]*\s:\s/.test(site.source)) return 'Write "if A then B else C end" in place of "A ? B : C".'
  return bracketHint(site.source) ?? 'Write a jq expression, for example .order.total > 10; see docs/dsl.md.'
}

/** What methods of other languages are called in jq. */
const methods: ReadonlyMap<string, string> = new Map([
  ['length', 'length'],
  ['size', 'length'],
  ['toUpperCase', 'ascii_upcase'],
  ['toLowerCase', 'ascii_downcase'],
  ['trim', 'trim'],
  ['toString', 'tostring'],
  ['join', 'join(", ")'],
  ['split', 'split(",")'],
  ['includes', 'contains("text")'],
  ['startsWith', 'startswith("text")'],
  ['endsWith', 'endswith("text")'],
  ['map', 'map(.name)'],
  ['filter', 'map(select(.total > 10))'],
])

function methodHint(name: string, path: string): string {
  return `jq has no methods, but functions behind a pipe: write ${path} | ${methods.get(name) ?? name}.`
}

function functionHint(suggestions: Suggestions, name: string, behind: string): string {
  const functionNames = complete('', 0).flatMap(({ kind, text }) => (kind === 'function' ? [text] : []))
  const close = functionNames.includes(name) ? undefined : closeName(suggestions, name, functionNames)
  if (close !== undefined) return `Did you mean the function ${close}? Write .${name} for a property of the data.`
  return /^[A-Za-z_]\w*$/.test(name) && !/^\s*\(/.test(behind)
    ? `Write .${name} for a property of the data, "${name}" for text, or check the name and the arguments of the function.`
    : 'Check the name of the function and the number of its arguments.'
}
