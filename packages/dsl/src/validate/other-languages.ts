/**
 * A path of jq such as `.order.items[0].id` or `.orderId`, also with a filter behind it. A file name such as `.env` has neither a second part nor a
 * capital or `_` inside.
 */
const jqPath =
  /^\.[a-z][a-z0-9]*[A-Z_]\w*$|^\.[A-Za-z_]\w*(?:(?:\.[A-Za-z_]\w*|\[\d*\])+|(?:\.[A-Za-z_]\w*|\[\d*\])*\s+(?:\||==|!=|<=?|>=?|\+|-|\*|\/\/)\s*\S[^]*)$|^\.[A-Za-z]$/
const plainPath = /^\.[A-Za-z_]\w*$/
/** A path of JSONPath such as `$.order.id`. */
const jsonPath = /^\$(?:\.[A-Za-z_]\w*|\[\d+\])+$/
/** A read of a variable such as `$steps.fetch.body`. */
const variablePath = /^\$(?<name>[A-Za-z_]\w*)(?:\.[A-Za-z_]\w*|\[\d*\])*$/
const ofLanguage = new Set(['input', 'context', 'steps', 'secrets', 'workflow', 'runtime', 'task', 'variables'])
/** A read of n8n such as `$json.id` or `$('Get').item.json.id`. */
const n8nRead =
  /^\$(?:json(?:[.[][^{}\n]*)?|(?:vars|env|node)[.[][^{}\n]*|\(\s*(?:'[^']*'|"[^"]*")\s*\)\.(?:item|first\(\)|last\(\))\.json[^{}\n]*)$/
/** An expression of n8n, Activepieces, Handlebars or Jinja. */
const braces = /\{\{\s*([^{}]*?)\s*\}\}/
/** A path in the wrong bracket, such as `{ .id }`, `#{.id}` or `$(.id)`. */
const bracketed = /^(?:(?:\$\s+|[#@%])?\{\s*(?<inner>\.[A-Za-z_][^{}]*?)\s*\}|\$\(\s*(?<path>\.[A-Za-z_][\w.]*)\s*\))$/

export interface Likeness {
  /** Whether a loop or a catch around it has a variable of this name. */
  readonly isVariable?: (name: string) => boolean
  /** Whether a text such as `.order` is a path too, since nothing here is a file name. */
  readonly isPathLikely?: boolean
}

/** The expression that a text of another tool probably means, in `${ … }`; undefined for other text. */
export function meantExpression(written: string, likeness: Likeness = {}): string | undefined {
  const { isVariable = () => false, isPathLikely = false } = likeness
  const text = written.trim()
  const leading = /^=\s*(?=[.$A-Za-z{]|https?:)/.exec(text)
  // n8n begins an expression with =, and evaluates only what is in braces.
  if (leading !== null) {
    const rest = text.slice(leading[0].length)
    return meantExpression(rest, likeness) ?? (/^\.[A-Za-z_][\w.[\]]*$/.test(rest) ? `\${ ${rest} }` : undefined)
  }
  if (jsonPath.test(text)) return `\${ ${text.slice(1)} }`
  const name = variablePath.exec(text)?.groups?.['name']
  if (name !== undefined && (ofLanguage.has(name) || isVariable(name))) return `\${ ${text} }`
  if (n8nRead.test(text)) return `\${ ${jqOf(text)} }`
  if (jqPath.test(text) || (isPathLikely && plainPath.test(text))) return `\${ ${text} }`
  const { inner, path } = bracketed.exec(text)?.groups ?? {}
  if (inner !== undefined || path !== undefined) return `\${ ${inner ?? path ?? '.'} }`
  return fromBraces(text)
}

function fromBraces(text: string): string | undefined {
  const match = braces.exec(text)
  if (match === null) return undefined
  const inner = jqOf(match[1] ?? '')
  if (match[0] === text) return `\${ ${inner} }`
  const [before, after] = [text.slice(0, match.index), text.slice(match.index + match[0].length)]
  return before.includes('"') || after.includes('{{') || after.includes('"')
    ? '${ "text \\(.name) text" }'
    : `\${ "${before}\\(${inner})${after}" }`
}

/** Reads of n8n, with what reads the same here. */
const reads: readonly (readonly [RegExp, string])[] = [
  [/\$\(\s*(?:'([^'"]*)'|"([^'"]*)")\s*\)\.(?:item|first\(\)|last\(\))\.json\b/g, '$steps["$1$2"]'],
  [/\$node(?:\.(\w+)|\[\s*(?:'([^'"]*)'|"([^'"]*)")\s*\])\.json\b/g, '$steps["$1$2$3"]'],
  [/\$(?:vars|env)\b/g, '$$variables'],
  [/\$now\b(?![.[])/g, 'now'],
  [/\$json\b(?=\s*[.[])/g, ''],
  [/\$json\b/g, '.'],
  [/\['([^'"\\]*)'\]/g, '["$1"]'],
  [/\["([A-Za-z_]\w*)"\]/g, '.$1'],
]

/** The expression of another tool in jq, where that is plain. */
export function jqOf(source: string): string {
  const written = source.trim().replace(/^=\s*/, '')
  const bare = written.replace(/^json\b(?=[.[]|$)/, '')
  // Pipedream, Activepieces and others read steps without a sign; a member of the data with such a name is rare.
  if (/^(?:steps|variables|secrets)\.[A-Za-z_]/.test(bare)) return `$${bare}`
  if (/^[A-Za-z_][\w.]*$/.test(bare)) return bare === 'now' ? bare : `.${bare}`
  const text = reads.reduce((before, [pattern, by]) => before.replaceAll(pattern, by), bare)
  return text === '' ? '.' : text.startsWith('[') ? `.${text}` : text
}

/** What to write for a variable of n8n; undefined for another name. */
export function hintForN8n(name: string, source: string): string | undefined {
  switch (name) {
    case 'json': {
      const read = /\$json\b(?:\.\w+|\[[^\]]*\])*/.exec(source)?.[0] ?? '$json'
      return `$json of n8n is . (a dot) here: write ${jqOf(read)} in place of ${read}.`
    }
    case 'node':
      return 'Write $steps.NAME in place of $node["NAME"].json: the output of the step NAME.'
    case 'vars':
    case 'env':
      return `Write $variables.NAME in place of $${name}.NAME.`
    case 'now':
      return 'Write now in place of $now: the seconds since 1970; (now | todate) is its text.'
    default:
      return undefined
  }
}

/** The hint for an expression in the brackets of another tool; undefined for other source. */
export function bracesHint(source: string): string | undefined {
  const text = source.trim()
  if (text.includes('{{')) {
    const whole = braces.exec(text)
    return whole !== null && whole[0] === text.replace(/^=\s*/, '')
      ? `This is an expression without {{ }}: write ${jqOf(whole[1] ?? '')}.`
      : 'An expression has no {{ }}: write .name for a property of the data.'
  }
  return /^=\s*[.$A-Za-z]/.test(text) ? `An expression does not begin with =: write ${jqOf(text)}.` : undefined
}
