import type { Converter } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import { term } from '#src/import/n8n/jq-text.ts'
import { at, isRecord, listOf, own, textOf } from '#src/import/value.ts'
import { path } from './flow.ts'

const set: Converter = (fields) => {
  const { parameters, version } = fields.node
  if (parameters['mode'] === 'raw')
    return {
      as: 'map',
      jq: added(keptFields(fields), jsonOf(fields, parameters['jsonOutput'] ?? '{}')),
      gives: 'one',
    }
  const assigned = assignmentsOf(parameters)
  const dots = at(parameters, 'options', 'dotNotation') !== false
  const base = version < 3.3 && version >= 3 ? textOf(parameters['include']) || 'all' : ''
  const kept =
    version < 3
      ? parameters['keepOnlySet'] === true
        ? '{}'
        : '$item'
      : base === 'none'
        ? '{}'
        : base !== ''
          ? keptFields(fields, base)
          : keptFields(fields)
  return { as: 'map', jq: written(fields, kept, assigned, dots), gives: 'one' }
}

/** jq of an item with the values that are assigned: as one object where the names are plain, else written one after the other. */
function written(fields: NodeFields, kept: string, assigned: ReturnType<typeof assignmentsOf>, dots: boolean): string {
  const isPlain = ({ name }: { readonly name: string }) => !name.startsWith('=') && !name.includes('${') && !(dots && name.includes('.'))
  if (assigned.every(isPlain)) {
    const members = new Map(assigned.map(({ name, type, value }) => [name, term(typed(fields, value, type))]))
    return added(
      kept,
      `{${[...members].map(([name, jq]) => `${/^[A-Za-z_]\w*$/.test(name) ? name : JSON.stringify(name)}: ${jq}`).join(', ')}}`,
    )
  }
  const writes = assigned.map(({ name, type, value }) => {
    const to = dots && !name.startsWith('=') ? JSON.stringify(name.split('.')) : `[(${fields.jq(name)} | tostring)]`
    return `setpath(${to}; ${typed(fields, value, type)})`
  })
  return [kept, ...writes].join(' | ')
}

function added(kept: string, jq: string): string {
  if (kept === '{}') return jq
  return jq === '{}' ? kept : `${kept} + ${term(jq)}`
}

function jsonOf(fields: NodeFields, json: unknown): string {
  if (typeof json === 'string' && !json.startsWith('=')) {
    try {
      return JSON.stringify(JSON.parse(json))
    } catch {
      // It fails when it runs, as in n8n.
    }
  }
  return `${term(fields.jq(json))} | if type == "string" then fromjson else . end`
}

function keptFields(fields: NodeFields, given?: string): string {
  const { parameters } = fields.node
  const include = given ?? (parameters['includeOtherFields'] === true ? textOf(parameters['include']) || 'all' : 'none')
  const names = textOf(parameters[include === 'except' ? 'excludeFields' : 'includeFields'])
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  if (include === 'none') return '{}'
  if (include === 'selected')
    return `($item | with_entries(select(.key | IN(${names.map((name) => JSON.stringify(name)).join(', ') || 'empty'}))))`
  return include === 'except' ? `($item | del(${names.map((name) => `.[${JSON.stringify(name)}]`).join(', ') || 'empty'}))` : '$item'
}

function assignmentsOf(parameters: unknown) {
  const modern = listOf(at(parameters, 'assignments', 'assignments') ?? at(parameters, 'fields', 'values'))
  const values = at(parameters, 'values')
  const old = isRecord(values)
    ? Object.entries(values).flatMap(([type, ones]) =>
        listOf(ones).map((one) => ({ name: textOf(at(one, 'name')), type, value: at(one, 'value') })),
      )
    : []
  return [...modern.map((one) => ({ name: textOf(at(one, 'name')), type: textOf(at(one, 'type')), value: valueOf(one) })), ...old].filter(
    ({ name }) => name !== '',
  )
}

function valueOf(one: unknown): unknown {
  return (
    at(one, 'value') ??
    at(one, 'stringValue') ??
    at(one, 'numberValue') ??
    at(one, 'booleanValue') ??
    at(one, 'arrayValue') ??
    at(one, 'objectValue')
  )
}

/** jq of a value in the type that it is assigned as. */
function typed(fields: NodeFields, value: unknown, type: string): string {
  const constant = typeof value === 'string' && value.startsWith('=') ? undefined : value
  const jq = fields.jq(value)
  if (type.startsWith('number')) {
    const number = typeof constant === 'string' && constant.trim() !== '' ? Number(constant) : constant
    return typeof number === 'number' && Number.isFinite(number) ? String(number) : `${jq} | tonumber? // null`
  }
  if (type.startsWith('boolean')) {
    if (typeof constant === 'boolean') return String(constant)
    return `${jq} | if . == "true" then true elif . == "false" then false else . end`
  }
  if (/^(array|object)/.test(type)) {
    if (typeof constant === 'string')
      try {
        return JSON.stringify(JSON.parse(constant))
      } catch {
        return jq
      }
    return `${jq} | if type == "string" then (try fromjson catch .) else . end`
  }
  if (type.startsWith('string') && !jq.startsWith('"')) return `${jq} | if type == "string" or . == null then . else tostring end`
  return jq
}

const code: Converter = (fields) => {
  const { parameters, type } = fields.node
  const language = textOf(parameters['language'])
  if (language.startsWith('python')) return undefined
  const source = textOf(parameters['jsCode'] ?? parameters['functionCode'])
  if (/\brequire\s*\(|\bimport\s*\(|\$helpers|this\.helpers|\$binary|\bsetTimeout\b/.test(source))
    fields.report(
      'adapted',
      'The code uses modules, files, timers or requests of its host, which a script does not have (a timer ends at once). Rewrite these lines.',
      '/parameters/jsCode',
    )
  const each = parameters['mode'] === 'runOnceForEachItem' || type.endsWith('functionItem')
  const item = type.endsWith('functionItem') ? 'item' : '$json'
  return {
    as: 'script',
    code: each
      ? `const $results = []\nfor ($itemIndex = 0; $itemIndex < items.length; $itemIndex++) {\n  const ${item} = items[$itemIndex].json\n  $results.push(...$list(await (async () => {\n${source}\n})()))\n}\n$print($results)`
      : `const $json = (items[0] || {}).json\nconst $result = await (async () => {\n${source}\n})()\n$print($list($result))`,
  }
}

const splitOut: Converter = (fields) => {
  const { parameters } = fields.node
  const names = textOf(parameters['fieldToSplitOut'])
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const name = names[0]
  if (name === undefined) return undefined
  if (names.length > 1) fields.report('adapted', 'Only the first of several fields is split out; the others stay as they are.')
  const target = textOf(at(parameters, 'options', 'destinationFieldName')) || name.split('.').at(-1) || name
  const include = textOf(parameters['include']) || 'noOtherFields'
  const rest =
    include === 'allOtherFields'
      ? `($item | delpaths([${JSON.stringify(name.split('.'))}]))`
      : include === 'selectedOtherFields'
        ? selected(textOf(parameters['fieldsToInclude']))
        : '{}'
  const element =
    include === 'noOtherFields'
      ? `if type == "object" then . else {${JSON.stringify(target)}: .} end`
      : `${rest} + {${JSON.stringify(target)}: .}`
  return {
    as: 'map',
    jq: `($item | ${path(name)} // [] | if type == "array" or type == "object" then .[] else . end) | ${element}`,
    gives: 'many',
  }
}

function selected(names: string): string {
  const list = names
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  return `{${list.map((name) => `${JSON.stringify(name)}: ($item | ${path(name)})`).join(', ')}}`
}

const aggregate: Converter = ({ node: { parameters } }) => {
  if (parameters['aggregate'] === 'aggregateAllItemData')
    return { as: 'jq', jq: `[{${JSON.stringify(textOf(parameters['destinationFieldName']) || 'data')}: $items}]`, gives: 'one' }
  const list = listOf(at(parameters, 'fieldsToAggregate', 'fieldToAggregate'))
  const members = list.flatMap((one) => {
    const field = textOf(at(one, 'fieldToAggregate'))
    if (field === '') return []
    const name = at(one, 'renameField') === true ? textOf(at(one, 'outputFieldName')) || field : (field.split('.').at(-1) ?? field)
    const values = at(parameters, 'options', 'keepMissing') === true ? '.' : 'select(. != null)'
    return [
      `${JSON.stringify(name)}: [$items[] | ${path(field)} | ${values}${at(parameters, 'options', 'mergeLists') === true ? ' | if type == "array" then .[] else . end' : ''}]`,
    ]
  })
  return { as: 'jq', jq: `[{${members.join(', ')}}]`, gives: 'one' }
}

const sort: Converter = (fields) => {
  const { parameters } = fields.node
  if (parameters['type'] === 'code' || parameters['type'] === 'random') return undefined
  const keys = listOf(at(parameters, 'sortFieldsUi', 'sortField'))
  const steps = keys.map((one) => `sort_by(${path(textOf(at(one, 'fieldName')))})${at(one, 'order') === 'descending' ? ' | reverse' : ''}`)
  return { as: 'jq', jq: ['$items', ...steps.toReversed()].join(' | ') }
}

const limit: Converter = (fields) => {
  const count = fields.node.parameters['maxItems'] ?? 1
  if (typeof count === 'number')
    return { as: 'jq', jq: fields.node.parameters['keep'] === 'lastItems' ? `$items[-${count}:]` : `$items[0:${count}]` }
  const jq = `(0 as $index | $items[0] as $item | ${fields.jq(count)}) as $n | $items`
  return { as: 'jq', jq: fields.node.parameters['keep'] === 'lastItems' ? `${jq} | .[-$n:]` : `${jq} | .[0:$n]` }
}

const removeDuplicates: Converter = (fields) => {
  const { parameters } = fields.node
  if (textOf(parameters['operation']).includes('Seen') || parameters['operation'] === 'clearDeduplicationHistory') return undefined
  const compare = textOf(parameters['compare']) || 'allFields'
  const names = textOf(parameters['fieldsToCompare'])
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const key =
    compare === 'selectedFields'
      ? `[${names.map(path).join(', ')}]`
      : compare === 'allFieldsExcept'
        ? `delpaths(${JSON.stringify(names.map((name) => name.split('.')))})`
        : '.'
  return { as: 'jq', jq: `[$items | to_entries | group_by(.value | ${key})[] | .[0]] | sort_by(.key) | map(.value)` }
}

const itemLists: Converter = (fields) => {
  const operation = textOf(fields.node.parameters['operation']) || 'splitOutItems'
  const by: Readonly<Record<string, Converter>> = {
    splitOutItems: splitOut,
    aggregateItems: aggregate,
    concatenateItems: aggregate,
    limit,
    removeDuplicates,
    sort,
    summarize,
  }
  return own(by, operation)?.(fields)
}

const summarize: Converter = ({ node: { parameters } }) => {
  const groups = textOf(parameters['fieldsToSplitBy'])
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
  const sums: Readonly<Record<string, string>> = {
    sum: 'add // 0',
    count: 'length',
    countUnique: 'unique | length',
    min: 'min',
    max: 'max',
    average: 'if length == 0 then null else add / length end',
    append: '.',
    concatenate: 'map(tostring) | join(",")',
  }
  const members = listOf(at(parameters, 'fieldsToSummarize', 'values')).map((one) => {
    const [how, field] = [textOf(at(one, 'aggregation')) || 'count', textOf(at(one, 'field'))]
    const prefix = own({ countUnique: 'unique_count', append: 'appended', concatenate: 'concatenated' }, how) ?? how
    return `${JSON.stringify(`${prefix}_${field.replaceAll('.', '_')}`)}: ([.[] | ${path(field)} | select(. != null)] | ${own(sums, how) ?? 'length'})`
  })
  const by = groups.map((name) => `${JSON.stringify(name)}: (.[0] | ${path(name)})`)
  return { as: 'jq', jq: `[$items | group_by([${groups.map(path).join(', ')}])[] | {${[...by, ...members].join(', ')}}]` }
}

const renameKeys: Converter = ({ node: { parameters } }) => {
  const steps = listOf(at(parameters, 'keys', 'key')).map((one) => {
    const [from, to] = [textOf(at(one, 'currentKey')), textOf(at(one, 'newKey'))]
    return `(getpath(${JSON.stringify(from.split('.'))}) as $value | delpaths([${JSON.stringify(from.split('.'))}]) | setpath(${JSON.stringify(to.split('.'))}; $value))`
  })
  return { as: 'jq', jq: `$items | map(${steps.join(' | ') || '.'})` }
}

/** A node whose work a few lines of JavaScript do, with its parameters computed first. */
function scripted(build: (fields: NodeFields) => string | undefined): Converter {
  return (fields) => {
    const body = build(fields)
    return body === undefined
      ? undefined
      : {
          as: 'script',
          gives: 'one',
          code: `$print(items.map(({ json }, $itemIndex) => ({ ...json, ...(() => {\n${body}\n})() })))`,
        }
  }
}

const dateTime = scripted(({ node: { parameters, version } }) => {
  const operation = textOf(parameters['operation'] ?? parameters['action']) || (version < 2 ? 'format' : 'getCurrentDate')
  const output = JSON.stringify(
    textOf(parameters['outputFieldName'] ?? parameters['dataPropertyName']) || (operation === 'getCurrentDate' ? 'currentDate' : 'newDate'),
  )
  if (operation === 'getCurrentDate') return `return { [${output}]: $now.toISO() }`
  const field = expressionSource(parameters['date'] ?? parameters['value'] ?? parameters['magnitude'])
  if (operation === 'formatDate' || operation === 'format')
    return `return { [${output}]: $date(${field}).toFormat(${JSON.stringify(textOf(parameters['customFormat'] ?? parameters['toFormat'] ?? parameters['format']) || 'yyyy-MM-dd')}) }`
  if (operation === 'addToDate' || operation === 'subtractFromDate')
    return `return { [${output}]: $date(${field}).${operation === 'addToDate' ? 'plus' : 'minus'}(Number(${expressionSource(parameters['duration'])}), ${JSON.stringify(textOf(parameters['timeUnit']) || 'days')}).toISO() }`
  return undefined
})

/** A parameter as JavaScript. */
function expressionSource(value: unknown): string {
  const text = textOf(value)
  const whole = /^=\{\{([\s\S]*)\}\}\s*$/.exec(text)?.[1]
  return whole === undefined ? JSON.stringify(text.replace(/^=/, '')) : `((($json) => (${whole}\n))(json))`
}

export const dataNodes: Readonly<Record<string, Converter>> = {
  set,
  code,
  function: code,
  functionItem: code,
  splitOut,
  aggregate,
  sort,
  limit,
  removeDuplicates,
  itemLists,
  summarize,
  renameKeys,
  dateTime,
}
