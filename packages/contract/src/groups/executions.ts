import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { labelFilter } from '#src/labels.ts'
import { listPage, listQuery, searchText, severalOf } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import { VersionNumber } from '#src/version-number.ts'
import {
  Execution,
  ExecutionDetail,
  ExecutionRecord,
  ExecutionState,
  executionStates,
  ExecutionSummary,
  FoundExecution,
  TriggerKind,
  triggerKinds,
} from './execution-schemas.ts'

const byWorkflow = z.object({ id: typeId('wf') })
const byExecution = z.object({ executionId: typeId('exec') })
const ofWorkflow = { workflow: 'id' } as const
const ofExecution = { execution: 'executionId' } as const

/** Both ways to start an execution. A start writes no audit row: the execution's own row says who started what, and a second write would halve the throughput. */
const starting = {
  method: 'POST',
  stability: 'stable',
  auth: { scope: 'executions:run' },
  role: 'member',
  rateLimit: 'execution',
  audit: 'none',
  idempotency: 'execution',
  transaction: 'own',
  requestHeaders: ['Prefer'],
  replyHeaders: ['Location', 'Preference-Applied'],
  params: byWorkflow,
  workflowKeys: ofWorkflow,
  body: z.strictObject({
    input: JsonValue.optional().describe('Input of the execution; an empty object unless given.'),
    version: VersionNumber.optional().describe('Published version to run; the latest unless given.'),
  }),
} as const

const start = operation({
  ...starting,
  id: 'workflows.execute',
  path: '/api/v1/workflows/{id}/execute',
  summary: 'Start an execution',
  description:
    'Responds as soon as the execution is durably accepted, with its `Location`. With `Prefer: wait=N` it responds when the execution has ended or replied (`call: respond`), or after N seconds with its state at that time.',
  reply: Execution,
  errors: ['workflow_not_published', 'workflow_disabled', 'input_invalid', 'personal_data_blocked', 'quota_exceeded', 'overloaded'],
})

const run = operation({
  ...starting,
  id: 'execute.run',
  path: '/api/v1/execute/{id}/run',
  summary: 'Run a workflow and return its output',
  description:
    'Starts an execution, waits for its end and returns its output alone. If the workflow replies (`call: respond`), the reply is returned at once and the execution continues. Waits for 60 seconds, or for N with `Prefer: wait=N` (at most 300); an execution that takes longer continues, and the response is a 409 that names it.',
  reply: JsonValue,
  errors: [
    'workflow_not_published',
    'workflow_disabled',
    'input_invalid',
    'personal_data_blocked',
    'execution_faulted',
    'execution_cancelled',
    'execution_unfinished',
    'quota_exceeded',
    'overloaded',
  ],
})

const reading = {
  method: 'GET',
  stability: 'stable',
  auth: { scope: 'executions:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
} as const

const list = operation({
  ...reading,
  id: 'workflows.executions',
  path: '/api/v1/workflows/{id}/executions',
  summary: 'List the executions of a workflow',
  description:
    'Newest first. An execution matches all given filters. With `label`, a page may have fewer entries than `limit`, or none, although more follow: continue until `nextCursor` is null.',
  params: byWorkflow,
  workflowKeys: ofWorkflow,
  query: z.strictObject({
    ...listQuery,
    state: ExecutionState.optional(),
    trigger: TriggerKind.optional(),
    label: labelFilter,
    from: Timestamp.optional().describe('Accepted at this time or later.'),
    to: Timestamp.optional().describe('Accepted before this time.'),
  }),
  reply: listPage(ExecutionSummary),
  errors: [],
})

const search = operation({
  ...reading,
  id: 'executions.search',
  path: '/api/v1/executions',
  workflowKeys: 'filtered',
  summary: 'Search the executions of all workflows',
  description:
    'Newest first. An execution matches all given filters. A page may have fewer entries than `limit`, or none, although more follow: continue until `nextCursor` is null.',
  query: z.strictObject({
    ...listQuery,
    state: severalOf(executionStates, 'States, separated by commas.').optional(),
    workflowId: typeId('wf').optional(),
    trigger: severalOf(triggerKinds, 'What started it: origins, separated by commas.').optional(),
    label: labelFilter,
    errorType: z.string().max(500).optional().describe('URI of the kind of error with which it faulted.'),
    needsAttention: z
      .literal('true')
      .optional()
      .describe('Only what a person should look at: executions that faulted, but no tests, and none of which a retry completed.'),
    causedBy: typeId('exec').optional().describe('Only those that the end of this execution has started.'),
    from: Timestamp.optional().describe('Accepted at this time or later.'),
    to: Timestamp.optional().describe('Accepted before this time.'),
    q: searchText.describe(
      'An execution id, a label as its whole value, `name:value` or `name value`, a part of the name of a workflow, or a part of the title or detail of an error. Executions with the label come first.',
    ),
  }),
  reply: listPage(FoundExecution),
  errors: [],
})

const get = operation({
  ...reading,
  id: 'workflows.execution',
  path: '/api/v1/workflows/executions/{executionId}',
  summary: 'Read an execution with its timeline',
  description:
    'Every task with its times, its input, and its output or error. Values over 16 KiB are given as references; follow their `href`, or request `values=inline`.',
  transaction: 'own',
  params: byExecution,
  workflowKeys: ofExecution,
  query: z.strictObject({
    values: z.enum(['reference', 'inline']).default('reference').describe('How large values are represented.'),
    view: z
      .enum(['timeline', 'summary'])
      .default('timeline')
      .describe(
        '`summary`: in place of the timeline, one entry for each task, with counts by state, first start, last end and median time.',
      ),
    task: z.string().max(1000).optional().describe('Only the timeline of the task with this reference (JSON Pointer).'),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(1000)
      .default(500)
      .describe('The largest number of timeline entries to return; a page has fewer if their values exceed 4 MiB in total.'),
    cursor: listQuery.cursor,
  }),
  reply: ExecutionDetail,
  errors: [],
})

const record = operation({
  ...reading,
  id: 'executions.record',
  path: '/api/v1/workflows/executions/{executionId}/record',
  summary: 'Read the record of an execution',
  description:
    'Everything that a replay needs, so that another device can walk the execution itself: the definition of its version, the manifests of the functions that it calls, the documents that were pinned, its input, and its journal in pages. Values of secrets are masked in it, so a replay of an execution that reads secrets needs the server.',
  transaction: 'own',
  params: byExecution,
  workflowKeys: ofExecution,
  query: z.strictObject({
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(5000)
      .default(2000)
      .describe('The largest number of journal entries to return; a page has fewer if their values exceed 4 MiB in total.'),
    cursor: listQuery.cursor,
  }),
  reply: ExecutionRecord,
  errors: [],
})

const attemptLog = operation({
  ...reading,
  id: 'executions.attemptLog',
  path: '/api/v1/workflows/executions/{executionId}/log',
  summary: 'Read the log of an attempt',
  description:
    'What an attempt of a task wrote beside its result, at most the last 64 KB: standard output and standard error of a script, and the requests and replies of a service in an attempt that failed. Secrets are masked, and the privacy policies apply. A log appears within a second of the end of the attempt.',
  params: byExecution,
  workflowKeys: ofExecution,
  query: z.strictObject({
    position: z
      .string()
      .min(1)
      .max(2000)
      .optional()
      .describe('The `position` of the timeline entry; unless given, the attempt that has written last.'),
  }),
  reply: z
    .object({
      position: z.string().nullable(),
      text: z.string().nullable().describe('Null if the attempt wrote nothing.'),
      truncated: z.boolean().describe('Whether the beginning is not kept.'),
      at: z.iso.datetime().nullable(),
    })
    .meta({ id: 'AttemptLog' }),
  errors: [],
})

/** What all controls of an execution have in common. They wait outside of a transaction, so each opens its own. */
const control = {
  method: 'POST',
  stability: 'stable',
  auth: { scope: 'executions:control' },
  role: 'member',
  rateLimit: 'execution',
  idempotency: 'keyed',
  transaction: 'own',
  requestHeaders: ['Prefer'],
  params: byExecution,
  workflowKeys: ofExecution,
  reply: Execution,
} as const

const cancel = operation({
  ...control,
  id: 'executions.cancel',
  path: '/api/v1/workflows/executions/{executionId}/cancel',
  summary: 'Cancel an execution',
  description:
    'Ends it as `cancelled`: running tasks are aborted within a second, and child workflows are cancelled too. Returns the execution in its present state; with `Prefer: wait=N` when it has ended, or after N seconds.',
  audit: 'execution.cancelled',
  replyHeaders: ['Preference-Applied'],
  errors: ['execution_ended'],
})

const suspend = operation({
  ...control,
  id: 'executions.suspend',
  path: '/api/v1/workflows/executions/{executionId}/suspend',
  summary: 'Suspend an execution',
  description:
    'Starts no further task until it is resumed. Running tasks end first, so the execution may still be `running` in the response; with `Prefer: wait=N` the server responds when it is suspended or has ended, or after N seconds. Timers keep running: a `wait` that ends meanwhile has ended when the execution is resumed. Child workflows continue.',
  audit: 'execution.suspended',
  replyHeaders: ['Preference-Applied'],
  errors: ['execution_ended', 'execution_suspended'],
})

const resume = operation({
  ...control,
  id: 'executions.resume',
  path: '/api/v1/workflows/executions/{executionId}/resume',
  summary: 'Resume a suspended execution',
  description:
    'Continues where it was suspended; also withdraws a suspension that has not taken effect yet. With `Prefer: wait=N` the server responds when it has ended or replied, or after N seconds.',
  audit: 'execution.resumed',
  replyHeaders: ['Preference-Applied'],
  errors: ['execution_ended', 'execution_not_suspended'],
})

const retry = operation({
  ...control,
  id: 'executions.retry',
  path: '/api/v1/workflows/executions/{executionId}/retry',
  summary: 'Retry an execution from where it failed',
  description:
    'Starts a new execution that continues from the task that failed, or from where it was cancelled: completed tasks are taken over and not repeated. If a task in a `catch` raised the error, the retry begins again at the `try` of that `catch`. The old execution stays unchanged and names the new one as `retriedBy`. In another version, a task is the same if its name and the names of its parents are; a `try` that was put around it alone does not count. With `Prefer: wait=N` the server responds when the new one has ended or replied, or after N seconds.',
  audit: 'execution.retried',
  replyHeaders: ['Location', 'Preference-Applied'],
  body: z.strictObject({
    input: JsonValue.optional().describe('Replaces the input of the retried execution.'),
    version: z
      .union([z.literal('latest'), VersionNumber])
      .optional()
      .describe('Published version to continue with; that of the retried execution unless given.'),
  }),
  errors: [
    'execution_not_ended',
    'execution_completed',
    'execution_retried',
    'workflow_deleted',
    'workflow_disabled',
    'input_invalid',
    'personal_data_blocked',
    'quota_exceeded',
  ],
})

const stream = operation({
  ...reading,
  id: 'executions.stream',
  path: '/api/v1/workflows/executions/{executionId}/stream',
  summary: 'Watch an execution live',
  description:
    'Server-sent events: `state` when the state has changed (data: `ExecutionSummary`), `task` when a task has started, begun to wait or ended (data: `TimelineEntry`; an entry replaces an earlier one with the same `position`), and `end` at the end of the execution (data: `Execution`), after which the stream closes. A stream begins with the state and all tasks so far. Every event has an `id`: a stream requested with the last `id` as `Last-Event-ID`, from any process, continues after it without gaps or repetitions. A comment is sent after 15 seconds without an event. The server closes a stream after 15 minutes, when it shuts down, or when the client does not read; reconnect then.',
  transaction: 'own',
  media: 'text/event-stream',
  requestHeaders: ['Last-Event-ID'],
  params: byExecution,
  workflowKeys: ofExecution,
  query: z.strictObject({
    lastEventId: z.string().max(100).optional().describe('Replaces the header `Last-Event-ID`, for clients that cannot send it.'),
  }),
  reply: z
    .string()
    .meta({ examples: ['event: state\nid: 0-0-running\ndata: {"id":"exec_01h455vb4pex5vsknk084sn02q","state":"running"}\n\n'] }),
  errors: ['too_many_streams', 'overloaded'],
})

/** Starting, reading, watching and controlling executions. The ids keep the three groups of the public interface. */
export const executions = { start, run, list, search, get, record, attemptLog, cancel, suspend, resume, retry, stream } as const
