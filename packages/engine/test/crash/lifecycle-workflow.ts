import { parse } from 'yaml'
import type { Definition } from '@millrace/dsl'
import { compileWorkflow } from '#compile/compile-workflow.ts'
import type { Lifecycle } from '#durable/lifecycle-events.ts'

/** The id of the workflow's version in the workers of the test. */
export const versionId = '01900000-0000-7000-8000-00000000000c'

/** Emits all lifecycle events. */
export const lifecycle: Lifecycle = {
  hasSubscribers: () => true,
  publicId: (id) => id,
  documentOf: async () => ({ namespace: 'crash', name: 'lifecycle', version: '1.0.0' }),
}

const call = (name: string) => `{ call: http, with: { method: post, endpoint: { uri: '\${ $workflow.input.url + "/${name}" }' } } }`

const definition = `
document: { dsl: '1.0.3', namespace: crash, name: lifecycle, version: '1.0.0' }
do:
  - remember: { set: { seen: 0 } }
  - first: ${call('first')}
  - flaky:
      try: [{ unsteady: ${call('unsteady')} }]
      catch: { errors: { with: { status: 503 } }, retry: { delay: PT0.01S, limit: { attempt: { count: 3 } } } }
  - caught:
      try: [{ broken: { raise: { error: { type: 'https://millrace.test/expected', status: 418 } } } }]
      catch: { errors: { with: { status: 418 } }, do: [{ handled: { set: { handled: true } } }] }
  - nap: { wait: PT0.01S }
  - say: { emit: { event: { with: { type: crash.said, source: /crash, data: { of: '\${ $workflow.id }' } } } } }
  - hear:
      listen: { to: { one: { with: { type: crash.said }, correlate: { of: { from: .data.of, expect: '\${ $workflow.id }' } } } } }
  - heard: { set: { heard: true } }
  - again:
      for: { each: round, in: '\${ [1, 2] }' }
      do: [{ round: ${call('round')} }]
  - last: { set: { done: true } }
`

/** About ten tasks: pure tasks, effects, a retry, a wait and a listener. */
export function lifecycleWorkflows() {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Written above.
  return new Map([[versionId, compileWorkflow(parse(definition) as Definition)]])
}
