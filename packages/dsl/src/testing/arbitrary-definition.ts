import * as fc from 'fast-check'
import { durationMs } from '#src/duration.ts'
import { isObject } from '#src/shape/variables.ts'
import type { Json, JsonObject } from '#src/json.ts'
import { anyExpression, durations, objects, record, words } from './arbitrary-data.ts'
import {
  authenticationPolicies,
  components,
  errors,
  inputs,
  outputs,
  readModes,
  resources,
  retryPolicies,
  strategies,
  timeoutDefinitions,
  timeouts,
} from './arbitrary-parts.ts'
import { lists, tasks } from './arbitrary-tasks.ts'

const documents = record(
  {
    dsl: fc.constantFrom('1.0.3', '1.0.0'),
    namespace: fc.constantFrom('default', 'my-team', 'A1'),
    name: fc.constantFrom('order', 'x', 'a-b-c'),
    version: fc.constantFrom('0.1.0', '1.2.3-beta.1+build.5'),
    title: words,
    summary: words,
    tags: objects,
    metadata: objects,
  },
  ['dsl', 'namespace', 'name', 'version'],
)

function byName<T>(keys: readonly string[], values: fc.Arbitrary<T>) {
  return fc.record(Object.fromEntries(keys.map((key) => [key, values])))
}

const extensions = record(
  {
    extend: fc.constantFrom('call', 'composite', 'emit', 'for', 'listen', 'raise', 'run', 'set', 'switch', 'try', 'wait', 'all'),
    when: anyExpression,
    before: lists,
    after: lists,
  },
  ['extend'],
)

/** Functions that do not call themselves: each calls only those that are named before it. */
const functions = byName(components.functions, tasks).map((drawn) => {
  const known: readonly string[] = components.functions
  return Object.fromEntries(Object.entries(drawn).map(([name, task]) => [name, withoutCallsOf(task, known.slice(known.indexOf(name)))]))
})

function withoutCallsOf(value: Json, names: readonly string[]): Json {
  if (Array.isArray(value)) return value.map((item: Json) => withoutCallsOf(item, names))
  if (!isObject(value)) return value
  const changed = Object.entries(value).map(([key, item]): [string, Json] =>
    key === 'call' && typeof item === 'string' && names.includes(item) ? [key, 'approve'] : [key, withoutCallsOf(item, names)],
  )
  return Object.fromEntries(changed)
}

/** Everything that tasks refer to is defined, always; what else `use` may have comes and goes. */
const uses = record(
  {
    secrets: fc.constant([...components.secrets]),
    authentications: byName(components.authentications, authenticationPolicies),
    errors: byName(components.errors, errors),
    retries: byName(components.retries, retryPolicies),
    timeouts: byName(components.timeouts, timeoutDefinitions),
    functions,
    catalogs: byName(components.catalogs, fc.record({ endpoint: resources.map(({ endpoint }) => endpoint) })),
    extensions: fc
      .array(extensions, { maxLength: 2 })
      .map((list) => list.map((extension, index) => ({ [`extension${index}`]: extension }))),
  },
  ['secrets', 'authentications', 'errors', 'retries', 'timeouts', 'functions', 'catalogs'],
)

const intervals = durations.filter((drawn) => (durationMs(drawn) ?? 0) >= 1000)

const schedules = fc.oneof(
  fc.record({ every: intervals }),
  fc.record({ cron: fc.constantFrom('0 0 * * *', '*/5 8-18 * JAN-MAR MON,WED') }),
  fc.record({ after: intervals }),
  record({ on: strategies, read: readModes }, ['on']),
)

/** Valid definitions with everything that the DSL has. */
export const definitions: fc.Arbitrary<JsonObject> = record(
  {
    document: documents,
    input: inputs,
    use: uses,
    do: lists,
    timeout: timeouts,
    output: outputs,
    schedule: schedules,
    evaluate: record({ language: fc.constant('jq'), mode: fc.constantFrom('strict', 'loose') }),
  },
  ['document', 'use', 'do'],
).map((definition) => {
  const json: JsonObject = JSON.parse(JSON.stringify(definition))
  return json
})
