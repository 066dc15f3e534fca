import * as fc from 'fast-check'
import type { Json, JsonObject } from '#src/json.ts'
import {
  anyExpression,
  data,
  durations,
  enclosed,
  filledObjects,
  names,
  objects,
  record,
  stringMaps,
  textOrExpression,
  words,
} from './arbitrary-data.ts'
import {
  authentications,
  components,
  emittedEvents,
  endpointsOrUris,
  errorFilters,
  errors,
  headers,
  inputs,
  outputs,
  readModes,
  resources,
  retryPolicies,
  strategies,
  timeouts,
} from './arbitrary-parts.ts'

type Tasks = fc.Arbitrary<Json>

const base = {
  if: anyExpression,
  input: inputs,
  output: outputs,
  export: outputs,
  timeout: timeouts,
  metadata: objects,
  then: fc.constantFrom('continue', 'exit', 'end'),
}

function task(properties: Record<string, fc.Arbitrary<unknown>>, optional: Record<string, fc.Arbitrary<unknown>> = {}) {
  return record<Record<string, fc.Arbitrary<unknown>>>({ ...base, ...properties, ...optional }, Object.keys(properties))
}

const modes = { output: fc.constantFrom('raw', 'content', 'response'), redirect: fc.boolean() }

const http = record(
  { method: fc.constantFrom('get', 'POST', '${ .method }'), endpoint: endpointsOrUris, headers, query: headers, body: data, ...modes },
  ['method', 'endpoint'],
)

const openapi = record({ document: resources, operationId: words, parameters: objects, authentication: authentications, ...modes }, [
  'document',
  'operationId',
])

const grpc = record(
  {
    proto: resources,
    service: record(
      { name: words, host: fc.constantFrom('localhost', 'a.example.com'), port: fc.nat(65_535), authentication: authentications },
      ['name', 'host'],
    ),
    method: words,
    arguments: objects,
  },
  ['proto', 'service', 'method'],
)

const a2a = fc
  .tuple(
    record({ method: fc.constantFrom('message/send', 'tasks/get'), parameters: fc.oneof(filledObjects, enclosed) }, ['method']),
    fc.oneof(fc.record({ server: endpointsOrUris }), fc.record({ agentCard: resources })),
  )
  .map(([call, address]) => ({ ...call, ...address }))

const transports = fc.oneof(
  record({ http: record({ endpoint: endpointsOrUris, headers: stringMaps }, ['endpoint']), options: stringMaps }, ['http']),
  record(
    {
      stdio: record({ command: words, arguments: fc.array(words, { maxLength: 2 }), environment: stringMaps }, ['command']),
      options: stringMaps,
    },
    ['stdio'],
  ),
)

const mcp = record(
  {
    protocolVersion: fc.constant('2025-06-18'),
    method: fc.constantFrom('tools/list', 'tools/call', 'resources/templates/list'),
    parameters: fc.oneof(objects, enclosed),
    timeout: durations,
    transport: transports,
    client: fc.record({ name: words, version: words }),
  },
  ['method', 'transport'],
)

function iterators(list: Tasks) {
  return record({ item: names, at: names, do: list, output: outputs, export: outputs })
}

function asyncapi(list: Tasks) {
  const consume = fc.oneof(
    record({ amount: fc.nat(9), for: durations }, ['amount']),
    record({ while: enclosed, for: durations }, ['while']),
    record({ until: enclosed }, ['until']),
  )
  const what = fc.oneof(
    fc.record({ message: record({ payload: objects, headers: objects }) }),
    fc.record({ subscription: record({ filter: enclosed, consume, foreach: iterators(list) }, ['consume']) }),
  )
  const where = fc.oneof(fc.record({ channel: words }), fc.record({ operation: words }))
  const common = record(
    {
      document: resources,
      server: record({ name: words, variables: objects }, ['name']),
      protocol: fc.constantFrom('kafka', 'mqtt5', 'ws'),
      authentication: authentications,
    },
    ['document'],
  )
  return fc.tuple(common, what, where).map(([...parts]) => Object.assign({}, ...parts))
}

function calls(list: Tasks) {
  const builtIn = fc.oneof(
    task({ call: fc.constant('http'), with: http }),
    task({ call: fc.constant('openapi'), with: openapi }),
    task({ call: fc.constant('grpc'), with: grpc }),
    task({ call: fc.constant('a2a'), with: a2a }),
    task({ call: fc.constant('mcp'), with: mcp }),
    task({ call: fc.constant('asyncapi'), with: asyncapi(list) }),
  )
  const functions = fc.constantFrom(...components.functions, 'log:1.0.0@shared', 'https://example.com/function.yaml', 'approve')
  return fc.oneof(builtIn, task({ call: functions }, { with: objects }))
}

const processInput = { stdin: textOrExpression, arguments: fc.array(textOrExpression, { maxLength: 2 }), environment: objects }

const lifetimes = fc.oneof(
  fc.record({ cleanup: fc.constantFrom('always', 'never') }),
  fc.record({ cleanup: fc.constant('eventually'), after: durations }),
)

const processes = fc.oneof(
  fc.record({
    container: record(
      {
        image: words,
        name: textOrExpression,
        command: words,
        ports: objects,
        volumes: objects,
        lifetime: lifetimes,
        pullPolicy: fc.constantFrom('ifNotPresent', 'always', 'never'),
        ...processInput,
      },
      ['image'],
    ),
  }),
  fc.record({ script: record({ language: fc.constantFrom('js', 'python'), code: words, ...processInput }, ['language', 'code']) }),
  fc.record({ script: record({ language: fc.constant('js'), source: resources, ...processInput }, ['language', 'source']) }),
  fc.record({ shell: record({ command: words, ...processInput }, ['command']) }),
  fc.record({
    workflow: record({ namespace: words, name: words, version: fc.constantFrom('latest', '1.0.0'), input: data }, [
      'namespace',
      'name',
      'version',
    ]),
  }),
)

const runs = fc
  .tuple(processes, record({ await: fc.boolean(), return: fc.constantFrom('stdout', 'stderr', 'code', 'all', 'none') }))
  .map(([process, options]) => ({ ...process, ...options }))

function switches() {
  const then = fc.constantFrom('continue', 'exit', 'end')
  const conditional = fc.tuple(anyExpression, then).map(([when, target]) =>
    Object.fromEntries([
      ['when', when],
      ['then', target],
    ]),
  )
  const otherwise = then.map((target) => Object.fromEntries([['then', target]]))
  return fc
    .tuple(
      fc.uniqueArray(names, { minLength: 1, maxLength: 3 }),
      fc.array(conditional, { minLength: 3, maxLength: 3 }),
      fc.option(otherwise),
    )
    .map(([labels, cases, last]) => {
      const items = labels.map((label, index) => ({ [label]: cases[index] ?? {} }))
      return last === null ? items : [...items, { otherwise: last }]
    })
}

function catches(list: Tasks) {
  return record({
    errors: record({ with: errorFilters }),
    as: names,
    when: anyExpression,
    exceptWhen: anyExpression,
    retry: fc.oneof(retryPolicies, fc.constantFrom(...components.retries)),
    do: list,
    then: fc.constantFrom('continue', 'exit', 'end'),
  })
}

/** Tasks of every kind, with every property that they may have, and lists of them. */
export const { tasks, lists } = fc.letrec<{ tasks: Json; lists: Json }>((tie) => {
  const list = tie('lists')
  const simple: fc.Arbitrary<unknown>[] = [
    task({ set: fc.oneof(filledObjects, anyExpression) }),
    task({ wait: durations }),
    task({ raise: fc.record({ error: fc.oneof(errors, fc.constantFrom(...components.errors)) }) }),
    task({ emit: fc.record({ event: fc.record({ with: emittedEvents }) }) }),
    task({ run: runs }),
    task({ switch: switches() }),
  ]
  const nested: fc.Arbitrary<unknown>[] = [
    calls(list),
    task({ listen: record({ to: strategies, read: readModes }, ['to']) }, { foreach: iterators(list) }),
    task({ do: list }),
    task(
      { for: record({ each: names, in: fc.oneof(anyExpression, fc.array(objects, { maxLength: 2 })), at: names }, ['in']), do: list },
      { while: anyExpression },
    ),
    task({ fork: record({ branches: list, compete: fc.boolean() }, ['branches']) }),
    task({ try: list, catch: catches(list) }),
  ]
  return {
    tasks: fc.oneof({ maxDepth: 3, depthSize: 'small' }, ...simple, ...nested).map(toJson),
    lists: fc
      .tuple(fc.uniqueArray(names, { maxLength: 3 }), fc.array(tie('tasks'), { minLength: 3, maxLength: 3 }))
      .map(([labels, values]) => labels.map((label, index): JsonObject => ({ [label]: values[index] ?? null }))),
  }
})

/** The generated records are JSON; the round trip gives them that type. */
function toJson(value: unknown): Json {
  const json: Json = JSON.parse(JSON.stringify(value))
  return json
}
