import type { Path } from '#src/parse/pointer.ts'
import type { Finding } from '#src/validate/facts.ts'

/** Longer text is prose, and needs no check. */
const lengthMax = 200

/** A path of jq such as `.order.items[0].id`, also with a filter behind it. A file name such as `.env` has no second part. */
const jqPath =
  /^\.[A-Za-z_]\w*(?:(?:\.[A-Za-z_]\w*|\[\d*\])+|(?:\.[A-Za-z_]\w*|\[\d*\])*\s+(?:\||==|!=|<=?|>=?|\+|-|\*|\/\/)\s*\S[^]*)$|^\.[A-Za-z]$/
/** A path of JSONPath such as `$.order.id`. */
const jsonPath = /^\$(?:\.[A-Za-z_]\w*|\[\d+\])+$/
/** A read of a variable of the DSL such as `$steps.fetch.body`. */
const variablePath = /^\$(?:input|context|steps|secrets|workflow|runtime|task|variables)(?:\.[A-Za-z_]\w*|\[\d*\])*$/
/** An expression of n8n, Activepieces, Handlebars or Jinja. */
const braces = /\{\{\s*([^{}]*?)\s*\}\}/

/** A warning for text that other tools would evaluate, with the expression that was probably meant. */
export function expressionLikeness(text: string, path: Path | undefined): Finding | undefined {
  if (text.length > lengthMax) return undefined
  const meant = meantExpression(text.trim())
  if (meant === undefined) return undefined
  const message = `This text looks like an expression, but is taken as it is written: only a string that is wholly \${ … } is evaluated.`
  return { code: 'looks_like_expression', severity: 'warning', path, at: 'value', message, hint: `Write ${meant} to have it evaluated.` }
}

function meantExpression(text: string): string | undefined {
  if (jsonPath.test(text)) return `\${ ${text.slice(1)} }`
  if (variablePath.test(text)) return `\${ ${text} }`
  if (jqPath.test(text)) return `\${ ${text} }`
  const match = braces.exec(text)
  if (match === null) return undefined
  const inner = jqOf(match[1] ?? '')
  if (match[0] === text) return `\${ ${inner} }`
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
  return before.includes('"') || after.includes('{{') || after.includes('"')
    ? '${ "text \\(.name) text" }'
    : `\${ "${before}\\(${inner})${after}" }`
}

/** The expression of another tool in jq, where that is plain. */
function jqOf(source: string): string {
  const path = source.replace(/^\$?json\b/, '').replace(/^\$/, '')
  return /^[A-Za-z_]/.test(path) ? `.${path}` : path === '' ? '.' : path
}

/** A warning for a key that is written as an expression. */
export function keyLikeness(path: Path): Finding {
  const message = 'A key is not evaluated: this one is taken as it is written.'
  const hint = 'Make the whole object one expression, with the key in parentheses: ${ { (.name): .value } }.'
  return { code: 'looks_like_expression', severity: 'warning', path, at: 'key', message, hint }
}
