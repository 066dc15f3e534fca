import { isRuntimeExpression, locateExpression } from '#src/expression/runtime-expression.ts'
import type { Path } from '#src/parse/pointer.ts'
import type { StringShape } from '#src/shape/shape.ts'
import { reservedVariables } from '#src/shape/stage.ts'
import { formatProblem } from '#src/shape/text-format.ts'
import type { Json } from '#src/json.ts'
import type { Scope, Site } from '#src/validate/facts.ts'
import { expressionLikeness, likenessHint } from './expression-likeness.ts'
import { alternatives, meant, nameOf, quoted, wrongType } from '#src/validate/wording.ts'

/** Checks a string against its shape, and gathers it when it is an expression or a reference. */
export function checkString(site: Site, shape: StringShape): void {
  const { facts, value, path, place } = site
  if (typeof value !== 'string') {
    facts.findings.push(
      wrongType(path, value, shape.reading === 'expression' ? 'an expression, a string' : 'a string', stringHint(shape, value)),
    )
    return
  }
  if (isEvaluated(shape, value)) {
    facts.expressions.push({ path, value, ...locateExpression(value), place, ...(shape.condition === true ? { condition: true } : {}) })
    return
  }
  if (shape.reading === 'enclosed') {
    const message = `${nameOf(path)} has to be an expression in \${ … }.`
    facts.findings.push({ code: 'invalid_value', path, at: 'value', message, hint: `Write '\${ ${value.trim() || '…'} }'.` })
    return
  }
  checkLiteral(site, shape, value)
  if (shape.format === 'uri') checkUriVariables(site, value)
  if (shape.reading !== 'text') return
  if (value.includes('${')) facts.findings.push(embedded(value, path))
  else if (shape.format === undefined && shape.reference === undefined) {
    const likeness = { isVariable: (name: string) => isLocal(place.scope, name), isPathLikely: place.stage === 'label' }
    facts.findings.push(...[expressionLikeness(value, path, likeness)].filter((one) => one !== undefined))
  }
}

function stringHint(shape: StringShape, value: Json): string {
  if (typeof value !== 'number' && typeof value !== 'boolean')
    return shape.reading === 'expression' ? 'Write a jq expression in quotes.' : 'Write text.'
  if (shape.reading === 'enclosed') return `Write '\${ ${value} }'.`
  // YAML reads 1.0 as the number 1: the original text is lost, so the example is a fixed one.
  return shape.format === 'semver' || shape.format === 'dslVersion'
    ? "Put three numbers in quotes, for example '1.0.0'."
    : `Put it in quotes: "${value}".`
}

function isEvaluated(shape: StringShape, value: string): boolean {
  if (shape.reading === 'expression') return true
  return shape.reading !== 'literal' && value.includes('${') && isRuntimeExpression(value)
}

function checkLiteral({ facts, path }: Site, shape: StringShape, value: string): void {
  if (shape.values !== undefined && !shape.values.includes(value)) {
    const hint = meant(value, shape.values, `Write ${alternatives(shape.values)}.`)
    const message = `${quoted(value)} is not possible for ${nameOf(path)}.`
    facts.findings.push({ code: 'invalid_value', path, at: 'value', message, hint })
    return
  }
  if (value.length < (shape.lengthMin ?? 0)) {
    facts.findings.push({ code: 'too_few_entries', path, at: 'value', message: `${nameOf(path)} may not be empty.`, hint: 'Write a name.' })
    return
  }
  const problem = shape.format === undefined ? undefined : formatProblem(shape.format, value)
  const likeness = problem === undefined || shape.reading !== 'text' ? undefined : likenessHint(value)
  if (problem !== undefined) facts.findings.push({ ...problem, ...(likeness === undefined ? {} : { hint: likeness }), path, at: 'value' })
  else if (shape.format === 'variable' && reservedVariables.has(value)) facts.findings.push(reserved(value, path))
  if (shape.credential === true && value !== '') facts.findings.push(plainCredential(path))
  if (shape.reference !== undefined) facts.references.push({ kind: shape.reference, name: value, path })
}

function reserved(value: string, path: Path | undefined) {
  const message = `A variable named ${quoted(value)} hides $${value}, which the DSL gives to every expression.`
  return { code: 'reserved_name', severity: 'warning', path, at: 'value', message, hint: 'Choose another name.' } as const
}

function plainCredential(path: Path | undefined) {
  const message = `${nameOf(path)} is in the definition as plain text: everyone who can read the definition can read it.`
  const hint = "List a secret in use.secrets, and write '${ $secrets.name }'."
  return { code: 'plain_credential', severity: 'warning', path, at: 'value', message, hint } as const
}

function embedded(value: string, path: Path | undefined) {
  if (isOpen(value)) {
    const message = 'The expression is not evaluated, since no } closes it.'
    const hint = value.length > 100 ? 'Close it with }.' : `Write ${value.trim()} }.`
    return { code: 'embedded_expression', severity: 'warning', path, at: 'value', message, hint } as const
  }
  const message = 'The expression inside this text is not evaluated: only a string that is wholly ${ … } is.'
  // An example is made for short text only, which also bounds the cost of the pattern.
  const example = value.length > 100 || /["\\]/.test(value) ? '${' : value.replaceAll(/\$\{\s*([^{}]*?)\s*\}/g, String.raw`\($1)`)
  const hint = example.includes('${')
    ? 'Make the whole string one expression, with \\( … ) inside of the text: ${ "Hello \\(.name)" }.'
    : `Write \${ "${example}" }.`
  return { code: 'embedded_expression', severity: 'warning', path, at: 'value', message, hint } as const
}

/** Whether a text is one expression but for the closing brace. */
function isOpen(value: string): boolean {
  return value.trimStart().startsWith('${') && !value.includes('}')
}

const uriVariable = /\{([A-Za-z_]\w*)\}/g

/** Warns of `{item}` where `$item` is a variable: a template of a URI is filled from the data, not from variables. */
function checkUriVariables({ facts, path, place }: Site, value: string): void {
  for (const [written, name = ''] of value.matchAll(uriVariable)) {
    if (!isLocal(place.scope, name)) continue
    const message = `${written} is filled with the property "${name}" of the data, not with the variable $${name}.`
    const example =
      value.length > 200 || value.includes('"')
        ? '${ "https://example.com/\\($NAME)" }'
        : `\${ "${value.replace(written, `\\($${name})`)}" }`
    const hint = `Write ${example.replace('NAME', name)} for the variable.`
    facts.findings.push({ code: 'uri_variable', severity: 'warning', path, at: 'value', message, hint })
  }
}

function isLocal(scope: Scope, name: string): boolean {
  for (let outer: Scope | undefined = scope; outer !== undefined; outer = outer.parent) if (outer.variables.includes(name)) return true
  return false
}
