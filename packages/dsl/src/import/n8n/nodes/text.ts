import type { Converter } from '#src/import/n8n/converted.ts'
import { term } from '#src/import/n8n/jq-text.ts'
import { at, listOf, textOf } from '#src/import/value.ts'
import { digests } from './digests.ts'
import { path } from './flow.ts'

/** A text parameter as an expression, also where the export has lost the sign that makes it one. */
function template(value: unknown): unknown {
  return typeof value === 'string' && value.includes('{{') && !value.startsWith('=') ? `=${value}` : value
}

const html: Converter = (fields) => {
  const { parameters } = fields.node
  const operation = textOf(parameters['operation']) || 'generateHtmlTemplate'
  if (operation === 'generateHtmlTemplate')
    return { as: 'map', jq: `$item + {html: ${term(fields.jq(template(parameters['html'] ?? '')))}}`, gives: 'one' }
  if (operation !== 'convertToHtmlTable') return undefined
  const cell = 'if . == null then "" elif type == "string" then @html else (tostring | @html) end'
  const row = (tag: string, values: string) => `"<tr>" + ([${values} | "<${tag}>" + (${cell}) + "</${tag}>"] | add // "") + "</tr>"`
  return {
    as: 'jq',
    jq: `[{table: ("<table>" + (($items[0] // {}) | ${row('th', 'keys_unsorted[]')}) + ([$items[] | ${row('td', '.[]')}] | add // "") + "</table>")}]`,
  }
}

const markdown: Converter = (fields) => {
  const { parameters } = fields.node
  const toHtml = parameters['mode'] === 'markdownToHtml'
  const target = textOf(parameters['destinationKey']) || 'data'
  const source = fields.jq(template(parameters[toHtml ? 'markdown' : 'html'] ?? ''))
  const text = `(${source} | if . == null then "" else tostring end)`
  const steps = toHtml ? markdownSteps : htmlSteps
  fields.report('adapted', 'Headings, emphasis, links, code, lists and paragraphs are converted; other markup stays as it is.')
  return {
    as: 'map',
    jq: `$item + {${JSON.stringify(target)}: ([${text}${steps.map(([from, to]) => ` | gsub(${JSON.stringify(from)}; ${to})`).join('')}] | .[0])}`,
    gives: 'one',
  }
}

const markdownSteps: readonly (readonly [string, string])[] = [
  ...[3, 2, 1].map((level) => [`(^|\\n)${'#'.repeat(level)} +(?<t>[^\\n]+)`, `"\\n<h${level}>\\(.t)</h${level}>"`] as const),
  ['\\*\\*(?<t>[^*\\n]+)\\*\\*', '"<strong>\\(.t)</strong>"'],
  ['\\*(?<t>[^*\\n]+)\\*', '"<em>\\(.t)</em>"'],
  ['`(?<t>[^`\\n]+)`', '"<code>\\(.t)</code>"'],
  ['\\[(?<t>[^\\]\\n]+)\\]\\((?<u>[^)\\s]+)\\)', '"<a href=\\"\\(.u)\\">\\(.t)</a>"'],
  ['(^|\\n)[-*] +(?<t>[^\\n]+)', '"\\n<li>\\(.t)</li>"'],
  ['\\n\\n+', '"<br><br>"'],
]

const htmlSteps: readonly (readonly [string, string])[] = [
  ['<(script|style)[^>]*>[^<]*</(script|style)>', '""'],
  ...[1, 2, 3, 4].map((level) => [`<h${level}[^>]*>(?<t>[^<]*)</h${level}>`, `"\\n${'#'.repeat(level)} \\(.t)\\n"`] as const),
  ['<(strong|b)>(?<t>[^<]*)</(strong|b)>', '"**\\(.t)**"'],
  ['<(em|i)>(?<t>[^<]*)</(em|i)>', '"*\\(.t)*"'],
  ['<a [^>]*href="(?<u>[^"]*)"[^>]*>(?<t>[^<]*)</a>', '"[\\(.t)](\\(.u))"'],
  ['<li[^>]*>', '"\\n- "'],
  ['<br */?>|</p>|</div>', '"\\n"'],
  ['<[^>]*>', '""'],
  ['&lt;', '"<"'],
  ['&gt;', '">"'],
  ['&amp;', '"&"'],
]

const emailSend: Converter = (fields) => {
  const { parameters } = fields.node
  const list = (value: unknown) =>
    `(${fields.jq(template(value))} | if type == "array" then . else (tostring | split(",") | map(gsub("^ +| +$"; ""))) end)`
  const text = (value: unknown) => `(${fields.jq(template(value))} | if . == null then "" else tostring end)`
  const format = textOf(parameters['emailFormat'])
  const plain = parameters['text'] ?? parameters['message'] ?? (format.startsWith('=') ? format : undefined)
  const optional = [
    ['cc', list, parameters['ccEmail'] ?? at(parameters, 'options', 'ccEmail')],
    ['bcc', list, parameters['bccEmail'] ?? at(parameters, 'options', 'bccEmail')],
    ['replyTo', list, parameters['replyTo'] ?? at(parameters, 'options', 'replyTo')],
    ['html', text, parameters['html']],
    ['text', text, plain ?? (parameters['html'] === undefined ? '' : undefined)],
  ] as const
  const members = [
    ['to', list(parameters['toEmail'] ?? '')],
    ['subject', `${text(parameters['subject'] ?? '')} | gsub("[\\r\\n]+"; " ")`],
    ...optional.flatMap(([name, write, value]) => (value === undefined || (value === '' && name !== 'text') ? [] : [[name, write(value)]])),
  ].map(([name, jq]) => [name, `\${ ${jq} }`])
  if (parameters['attachments'] !== undefined) fields.report('adapted', 'Attachments are files of items, which items do not carry here.')
  fields.report(
    'adapted',
    'The mail goes through the server of the installation and is sent by its address. Name a connection of the kind smtp to use your own.',
  )
  return { as: 'each', task: { call: 'email', with: Object.fromEntries(members) } }
}

const compareDatasets: Converter = (fields) => {
  const { parameters } = fields.node
  const pairs = listOf(at(parameters, 'mergeByFields', 'values'))
  if (pairs.length === 0) return undefined
  const [a, b] = ['($inputs[0] // [])', '($inputs[1] // [])']
  const keyOf = (side: string) => `[${pairs.map((pair) => path(textOf(at(pair, side)) || textOf(at(pair, 'field1')))).join(', ')}]`
  const skipped = textOf(at(parameters, 'options', 'skipFields'))
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const compared = skipped.length === 0 ? '.' : `delpaths(${JSON.stringify(skipped.map((name) => name.split('.')))})`
  const resolve = textOf(parameters['resolve']) || 'includeBoth'
  const different = resolve === 'preferInput1' ? '.a' : resolve === 'preferInput2' ? '.b' : '{keys: .k, inputA: .a, inputB: .b}'
  const both = `[${a}[] as $a | ($a | ${keyOf('field1')}) as $k | ${b}[] as $b | select(($b | ${keyOf('field2')}) == $k) | {k: $k, a: $a, b: $b, same: (($a | ${compared}) == ($b | ${compared}))}]`
  const alone = (one: string, key: string, other: string, otherKey: string) =>
    `([${other}[] | ${otherKey}] as $keys | [${one}[] | select(${key} as $k | any($keys[]; . == $k) | not)])`
  return {
    as: 'jq',
    jq: `${both} as $both | [${alone(a, keyOf('field1'), b, keyOf('field2'))}, [$both[] | select(.same) | .a], [$both[] | select(.same | not) | ${different}], ${alone(b, keyOf('field2'), a, keyOf('field1'))}]`,
    outputs: 4,
  }
}

const crypto: Converter = (fields) => {
  const { parameters } = fields.node
  const action = textOf(parameters['action']) || 'hash'
  const target = JSON.stringify(textOf(parameters['dataPropertyName']) || 'data')
  if (action === 'generate')
    return {
      as: 'script',
      gives: 'one',
      code: `${digests}$print(items.map(({ json }) => ({ ...json, ${target}: $uuid() })))`,
    }
  const kind = textOf(parameters['type']) || 'MD5'
  if (action !== 'hash' || !['MD5', 'SHA256'].includes(kind)) return undefined
  const name = `h${fields.computed.size}`
  const source = textOf(template(parameters['value'] ?? ''))
  const whole = /^=\{\{([\s\S]*)\}\}\s*$/.exec(source)?.[1]
  if (whole === undefined && source.startsWith('=')) return undefined
  const value = whole === undefined ? JSON.stringify(source) : `((($json) => (${whole}\n))(json))`
  const encoding = JSON.stringify(textOf(parameters['encoding']) || 'hex')
  return {
    as: 'script',
    gives: 'one',
    code: `${digests}$print(items.map(({ json }, ${name}) => { $itemIndex = ${name}; return { ...json, ${target}: Buffer.from(${kind === 'MD5' ? '$md5' : '$sha256'}(Buffer.from(String(${value})).bytes)).toString(${encoding}) } }))`,
  }
}

export const textNodes: Readonly<Record<string, Converter>> = {
  html,
  markdown,
  emailSend,
  compareDatasets,
  crypto,
}
