import { conditionOf, comparison } from '#src/import/n8n/conditions.ts'
import type { Converter } from '#src/import/n8n/converted.ts'
import type { NodeFields } from '#src/import/n8n/fields.ts'
import { term } from '#src/import/n8n/jq-text.ts'
import { at, isRecord, listOf, numberOf, own, textOf } from '#src/import/value.ts'

const ifNode: Converter = (fields) => {
  const { parameters } = fields.node
  const when = conditionOf(fields, parameters['conditions'], parameters['combineOperation'])
  return { as: 'branch', ways: [{ name: 'true', when }], otherwise: { output: 1, name: 'false' } }
}

const filter: Converter = (fields) => {
  const { parameters } = fields.node
  const combine = parameters['combineConditions'] === 'OR' ? 'any' : (parameters['combineConditions'] ?? parameters['combineOperation'])
  return { as: 'branch', ways: [{ name: 'kept', when: conditionOf(fields, parameters['conditions'], combine) }] }
}

const switchNode: Converter = (fields) => {
  const { parameters } = fields.node
  if (parameters['mode'] === 'expression') {
    const count = numberOf(parameters['numberOutputs'] ?? parameters['outputsAmount'] ?? 4)
    const outputs = Number.isInteger(count) && count > 0 ? Math.min(count, 50) : 4
    const output = term(fields.jq(parameters['output']))
    return { as: 'branch', ways: Array.from({ length: outputs }, (_, n) => ({ name: `output-${n}`, when: `${output} == ${n}` })) }
  }
  const ways = waysOf(fields)
  const fallback = at(parameters, 'options', 'fallbackOutput') ?? parameters['fallbackOutput']
  const name = slug(textOf(at(parameters, 'options', 'renameFallbackOutput'))) || 'fallback'
  const output = fallback === 'extra' ? ways.length : numberOf(fallback)
  return {
    as: 'branch',
    ways,
    ...(Number.isInteger(output) && output >= 0 && output <= ways.length ? { otherwise: { output, name: unusedName(name, ways) } } : {}),
    ...(at(parameters, 'options', 'allMatchingOutputs') === true ? { all: true } : {}),
  }
}

function waysOf(fields: NodeFields): readonly { readonly name: string; readonly when: string }[] {
  const { parameters } = fields.node
  const rules = listOf(at(parameters, 'rules', 'values') ?? at(parameters, 'rules', 'rules')).slice(0, 50)
  return rules.reduce<{ name: string; when: string }[]>((ways, rule, index) => {
    const when =
      at(rule, 'conditions') === undefined
        ? comparison(
            fields,
            textOf(parameters['dataType']) || 'number',
            textOf(at(rule, 'operation')) || 'equal',
            parameters['value1'],
            at(rule, 'value2'),
          )
        : conditionOf(fields, at(rule, 'conditions'), undefined)
    return [...ways, { name: unusedName(nameOfWay(rule) || `output-${index}`, ways), when }]
  }, [])
}

/** The name that an output has, or the text with which the only condition of its rule compares. */
function nameOfWay(rule: unknown): string {
  const named = slug(textOf(at(rule, 'outputKey')))
  if (named !== '') return named
  const conditions = listOf(at(rule, 'conditions', 'conditions'))
  const [value, operation] =
    conditions.length === 1
      ? [at(conditions[0], 'rightValue'), textOf(at(conditions[0], 'operator', 'operation'))]
      : [at(rule, 'value2'), textOf(at(rule, 'operation')) || 'equal']
  return typeof value === 'string' && !value.startsWith('=') && /^equals?$/.test(operation) ? slug(value) : ''
}

function unusedName(base: string, ways: readonly { readonly name: string }[]): string {
  const isUsed = (name: string) => ways.some((way) => way.name === name)
  let name = base
  for (let count = 2; isUsed(name) || ['continue', 'exit', 'end'].includes(name); count++) name = `${base}-${count}`
  return name
}

const stop: Converter = (fields) => {
  const { parameters } = fields.node
  const detail =
    parameters['errorType'] === 'errorObject'
      ? `(${fields.jq(parameters['errorObject'])} | tostring)`
      : `(${fields.jq(parameters['errorMessage'] ?? 'Stopped')} | tostring)`
  const error = { type: 'https://millrace.dev/errors/import/stopped', status: 500, title: 'Stopped', detail: `\${ ${detail} }` }
  return { as: 'each', task: { raise: { error } } }
}

const wait: Converter = (fields) => {
  const { parameters } = fields.node
  const mode = textOf(parameters['resume']) || 'timeInterval'
  if (mode === 'timeInterval') {
    const unit = textOf(parameters['unit']) || (fields.node.version < 1.1 ? 'hours' : 'seconds')
    const amount = parameters['amount'] ?? (fields.node.version < 1.1 ? 1 : 5)
    const [prefix, letter] = own({ seconds: ['PT', 'S'], minutes: ['PT', 'M'], hours: ['PT', 'H'], days: ['P', 'D'] }, unit) ?? ['PT', 'S']
    if (typeof amount === 'number' && amount >= 0) {
      if (Number.isInteger(amount)) return { as: 'once', task: { wait: `${prefix}${amount}${letter}` } }
      const seconds = Math.round(amount * (own({ minutes: 60, hours: 3600, days: 86_400 }, unit) ?? 1))
      return { as: 'once', task: { wait: `PT${seconds}S` } }
    }
    return { as: 'once', task: { wait: `\${ $items[0] as $item | 0 as $index | "${prefix}\\(${fields.jq(amount)} | floor)${letter}" }` } }
  }
  if (mode === 'specificTime') {
    fields.report('adapted', 'The time is computed once, from the first item, and taken as UTC.')
    return {
      as: 'once',
      task: {
        wait: `\${ $items[0] as $item | 0 as $index | "PT\\([(${fields.jq(parameters['dateTime'])} | .[0:19] + "Z" | fromdate) - now, 0] | max | floor)S" }`,
      },
    }
  }
  fields.report('adapted', 'Waits for an event of the type n8n.resume: send it to the bus with the data that the webhook received.')
  return {
    as: 'once',
    task: { listen: { to: { one: { with: { type: 'n8n.resume' } } } } },
    result: 'map(if type == "object" then {body: .} else {body: {data: .}} end)',
  }
}

const merge: Converter = (fields) => {
  const { parameters, version } = fields.node
  const mode = textOf(parameters['mode']) || 'append'
  const count = numberOf(parameters['numberInputs'] ?? 2)
  const inputs = Number.isInteger(count) && count > 1 ? Math.min(count, 10) : 2
  const [a, b] = ['($inputs[0] // [])', '($inputs[1] // [])']
  if (mode === 'append' || mode === 'passThrough' || mode === 'wait')
    return {
      as: 'jq',
      jq: mode === 'append' ? `[range(${inputs}) as $n | ($inputs[$n] // [])[]]` : parameters['output'] === 'input2' ? b : a,
    }
  if (mode === 'chooseBranch')
    return { as: 'jq', jq: textOf(parameters['useDataOfInput']) === '2' || parameters['output'] === 'input2' ? b : a }
  if (mode === 'multiplex' || parameters['combineBy'] === 'combineAll' || parameters['combinationMode'] === 'multiplex')
    return { as: 'jq', jq: `[${a}[] as $a | ${b}[] as $b | $a + $b]` }
  if (mode === 'mergeByIndex' || parameters['combineBy'] === 'combineByPosition' || parameters['combinationMode'] === 'mergeByPosition') {
    const whole = at(parameters, 'options', 'includeUnpaired') === true || parameters['join'] === 'outer'
    return {
      as: 'jq',
      jq: `${a} as $a | ${b} as $b | [range([($a | length), ($b | length)] | ${whole ? 'max' : 'min'}) as $n | ($a[$n] // {}) + ($b[$n] // {})]`,
    }
  }
  if (mode === 'combine' || mode === 'mergeByKey' || mode === 'removeKeyMatches') return byFields(fields, version, a, b)
  return undefined
}

function byFields({ node: { parameters }, report }: NodeFields, version: number, a: string, b: string) {
  const pairs = version < 2 ? [{ field1: parameters['propertyName1'], field2: parameters['propertyName2'] }] : fieldPairs(parameters)
  if (pairs.length === 0) return undefined
  const key = (side: 'field1' | 'field2') =>
    `[${pairs.map((pair) => path(textOf(at(pair, side)) || textOf(at(pair, 'field1')))).join(', ')}]`
  const join = textOf(parameters['joinMode']) || 'keepMatches'
  const matches = `[${a}[] as $a | ${b}[] as $b | select(($a | ${key('field1')}) == ($b | ${key('field2')})) | $a + $b]`
  const alone = `[${a}[] as $a | select([${b}[] | ${key('field2')}] | any(.[]; . == ($a | ${key('field1')})) | not) | $a]`
  const aloneB = `[${b}[] as $b | select([${a}[] | ${key('field1')}] | any(.[]; . == ($b | ${key('field2')})) | not) | $b]`
  if (parameters['mode'] === 'removeKeyMatches') return { as: 'jq' as const, jq: alone }
  if (version < 2 || join === 'keepMatches') return { as: 'jq' as const, jq: matches }
  if (join === 'keepNonMatches') return { as: 'jq' as const, jq: `${alone} + ${aloneB}` }
  if (join === 'keepEverything') return { as: 'jq' as const, jq: `${matches} + ${alone} + ${aloneB}` }
  report('adapted', 'Items of input 1 without a counterpart follow the matches.')
  return { as: 'jq' as const, jq: join === 'enrichInput2' ? `${matches} + ${aloneB}` : `${matches} + ${alone}` }
}

function fieldPairs(parameters: unknown): readonly unknown[] {
  const values = listOf(at(parameters, 'mergeByFields', 'values'))
  if (values.length > 0) return values.filter(isRecord)
  const names = textOf(at(parameters, 'fieldsToMatchString')).split(',')
  return names
    .map((name) => name.trim())
    .filter((name) => name !== '')
    .map((name) => ({ field1: name, field2: name }))
}

/** jq that reads a dotted path of n8n. */
export function path(field: string): string {
  return /^[A-Za-z_]\w*$/.test(field) ? `.${field}` : `getpath(${JSON.stringify(field.split('.'))})?`
}

const executeWorkflow: Converter = (fields) => {
  const { parameters } = fields.node
  const id = at(parameters, 'workflowId', 'cachedResultName') ?? at(parameters, 'workflowId', 'value') ?? parameters['workflowId']
  const name = slug(textOf(id)) || 'called-workflow'
  fields.report('adapted', `Calls the workflow "${name}" of the namespace imported. Import that workflow too, or correct the name.`)
  const target = { namespace: 'imported', name, version: '1.0.0' }
  const run = (input: string) => ({ run: { workflow: { ...target, input } } })
  return parameters['mode'] === 'each'
    ? { as: 'each', task: run('${ {items: [$item]} }') }
    : { as: 'once', task: run('${ {items: $items} }'), result: '[if type == "object" and has("items") then .items[] else . end]' }
}

/** A name as the DSL permits for documents and tasks. */
export function slug(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 60)
    .replace(/^-+|-+$/g, '')
}

/** A name that is not used yet, which then is. */
export function unused(base: string, used: Set<string>): string {
  let name = base
  for (let count = 2; used.has(name); count++) name = `${base}-${count}`
  used.add(name)
  return name
}

const respond: Converter = (fields) => {
  const { parameters } = fields.node
  const mode = textOf(parameters['respondWith']) || 'firstIncomingItem'
  const bodies: Readonly<Record<string, string>> = {
    noData: 'null',
    allIncomingItems: '$items',
    firstIncomingItem: '$items[0]',
    redirect: 'null',
    json: jsonBody(fields),
    text: fields.jq(parameters['responseBody'] ?? ''),
    jwt: fields.jq(parameters['payload'] ?? {}),
  }
  if (mode === 'binary' || mode === 'jwt')
    fields.report(
      'adapted',
      mode === 'jwt' ? 'The body is not signed as a JWT: sign it before.' : 'A file cannot be the body of a reply: the first item is.',
    )
  if (parameters['redirectURL'] !== undefined)
    fields.report('adapted', 'A reply cannot redirect: the target of the redirection is missing.')
  const body = `\${ $items[0] as $item | 0 as $index | (${own(bodies, mode) ?? '$items[0]'}) }`
  return { as: 'once', task: { call: 'respond', with: { body } } }
}

function jsonBody(fields: NodeFields): string {
  return `(${fields.jq(fields.node.parameters['responseBody'] ?? '')} | if type == "string" then (try fromjson catch .) else . end)`
}

export const flowNodes: Readonly<Record<string, Converter>> = {
  if: ifNode,
  filter,
  switch: switchNode,
  stopAndError: stop,
  wait,
  merge,
  executeWorkflow,
  respondToWebhook: respond,
}
