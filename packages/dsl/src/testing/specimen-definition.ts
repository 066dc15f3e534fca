import type { Definition, DocumentInfo, Schedule, Use } from '#src/shape/definition-shape.ts'
import { calls } from './specimen-calls.ts'
import { duration, endpoint, error, input, output, policies, retryPolicy, strategies } from './specimen-parts.ts'
import { tasks } from './specimen-tasks.ts'

const document = {
  dsl: '1.0.3',
  namespace: 'shop',
  name: 'everything',
  version: '1.2.3-beta.1+build.5',
  title: 'Everything',
  summary: '# Everything that the DSL has\n',
  tags: { team: 'core', level: 1 },
  metadata: { icon: 'box' },
} as const satisfies Required<DocumentInfo>

const use = {
  authentications: policies,
  catalogs: { shared: { endpoint }, plain: { endpoint: 'https://catalog.example.com' } },
  errors: { outOfStock: error },
  extensions: [
    {
      logging: {
        extend: 'all',
        when: '$task.name != "skipped"',
        before: [{ sayBefore: { set: { name: '${ $task.name }' } } }],
        after: [{ sayAfter: { set: { name: '${ $task.name }' } } }],
      },
    },
    { mocking: { extend: 'call' } },
    { grouping: { extend: 'composite' } },
  ],
  functions: { compute: { input, set: { result: '${ .id }' }, output } },
  retries: { patient: retryPolicy, constant: { backoff: { constant: {} } }, linear: { backoff: { linear: {} } } },
  secrets: ['vault'],
  timeouts: { short: { after: 'PT5S' }, long: { after: duration } },
} as const satisfies Required<Use>

const schedule = {
  every: { hours: 1 },
  cron: '0 6 * * MON-FRI',
  after: 'PT10M',
  on: strategies.anyUntilEvent,
  read: 'data',
} as const satisfies Required<Schedule>

/** A definition in which every property that the DSL has is set at least once. */
export const specimen = {
  document,
  input: { schema: { document: { type: 'object' } }, from: '. + { at: $workflow.startedAt.iso8601 }' },
  use,
  do: [...calls, ...tasks],
  timeout: { after: { minutes: 10 } },
  output: { schema: { document: true }, as: { result: '${ .result }', context: '${ $context }' } },
  schedule,
  evaluate: { language: 'jq', mode: 'strict' },
} as const satisfies Required<Definition>
