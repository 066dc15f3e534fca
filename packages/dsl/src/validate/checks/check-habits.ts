import { type Token, tokenize } from '@millrace/jq'
import { inputPaths } from '#src/expression/expression.ts'
import { isObject } from '#src/shape/variables.ts'
import type { ExpressionSite, Facts, Finding, Scope } from '#src/validate/facts.ts'

/** Makes the check for properties of the data that were probably meant as a variable, `.item`, or as a function, `.list.length`. */
export function createHabitCheck(facts: Facts): (site: ExpressionSite, variables: ReadonlySet<string>) => Finding[] {
  let members: ReadonlySet<string> | undefined
  return (site, variables) => {
    const locals = localsOf(site.place.scope)
    if (!site.source.includes('.length') && !locals.some((name) => site.source.includes(`.${name}`))) return []
    members ??= membersOf(facts)
    const known = members
    const tokens = tokenize(site.source)
    const fields = tokens.flatMap((token, index) => (token.kind === 'FIELD' && !known.has(nameOf(token)) ? [{ token, index }] : []))
    const lengths = fields.filter(({ token, index }) => nameOf(token) === 'length' && continues(tokens[index - 1], token))
    const read = fields.filter(({ token, index }) => locals.includes(nameOf(token)) && !continues(tokens[index - 1], token))
    const paths = read.length === 0 ? [] : inputPaths(site.source, [...variables])
    const meant = read.filter(({ token }) => paths.some((path) => isBelow(path, `.${nameOf(token)}`)))
    return [...lengths.map(({ token }) => lengthFinding(site, token)), ...meant.map(({ token }) => variableFinding(site, token))]
  }
}

function nameOf({ text }: Token): string {
  return text.replace(/^\./, '')
}

const ends: ReadonlySet<string> = new Set(['FIELD', 'BINDING', 'QQSTRING_END', ']', ')', '?'])

/** Whether a field continues the path of the token before it. */
function continues(before: Token | undefined, { start }: Token): boolean {
  return before !== undefined && before.end === start && (ends.has(before.kind) || ends.has(before.text))
}

function isBelow(path: string, top: string): boolean {
  return path === top || path.startsWith(`${top}.`) || path.startsWith(`${top}[`)
}

function localsOf(scope: Scope): readonly string[] {
  const names: string[] = []
  for (let outer: Scope | undefined = scope; outer !== undefined; outer = outer.parent) names.push(...outer.variables)
  return names
}

const written = /([A-Za-z_]\w*)"?\s*:|[{,]\s*\$?([A-Za-z_]\w*)\s*(?=[,}])/g

/** Names of properties that the document itself writes: by `set`, or in objects of expressions. */
function membersOf({ tasks, expressions }: Facts): ReadonlySet<string> {
  const set = tasks.flatMap(({ task }) => (isObject(task['set']) ? Object.keys(task['set']) : []))
  const made = expressions.flatMap(({ source }) => [...source.matchAll(written)].map(([, name, short]) => name ?? short ?? ''))
  return new Set([...set, ...made])
}

function findingOf(site: ExpressionSite, { start, end }: Token, message: string, hint: string): Finding {
  const piece = { value: site.value, offset: site.offset, start, end }
  return { code: 'doubtful_property', severity: 'warning', path: site.path, at: 'value', message, hint, piece }
}

function variableFinding(site: ExpressionSite, token: Token): Finding {
  const name = nameOf(token)
  const message = `.${name} reads the property "${name}" of the data; the variable is $${name}.`
  return findingOf(site, token, message, `Write $${name} for the variable, or .["${name}"] for the property.`)
}

function lengthFinding(site: ExpressionSite, token: Token): Finding {
  const path = pathBefore(site.source, token.start)
  const message = 'This reads a property "length"; jq counts entries and characters by a function behind a pipe.'
  return findingOf(site, token, message, `Write (${path} | length), or ${path}["length"] for the property.`)
}

/** The path that ends at an offset, as far as it is plain. */
export function pathBefore(source: string, end: number): string {
  return /[.$][\w.$[\]]*$/.exec(source.slice(Math.max(0, end - 100), end))?.[0] ?? '.list'
}
