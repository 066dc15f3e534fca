import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'
import { VersionNumber } from '#src/version-number.ts'
import { Execution, ExecutionDetail, ExecutionState, ExecutionSummary, TriggerKind } from './execution-schemas.ts'

const byWorkflow = z.object({ id: typeId('wf') })
const byExecution = z.object({ executionId: typeId('exec') })

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
    'Answers as soon as the execution is durably accepted, with its `Location`. With `Prefer: wait=N` it answers when the execution has ended or answered (`call: respond`), or after N seconds with the state that it then has.',
  reply: Execution,
  errors: ['workflow_not_published', 'workflow_disabled', 'input_invalid', 'quota_exceeded', 'overloaded'],
})

const run = operation({
  ...starting,
  id: 'execute.run',
  path: '/api/v1/execute/{id}/run',
  summary: 'Run a workflow and answer with its output',
  description:
    'Starts an execution, waits for its end, and answers with its output and nothing else; a workflow that answers by `call: respond` is answered with that, at once, and goes on. Waits for 60 seconds, or for N with `Prefer: wait=N` (at most 300); an execution that takes longer goes on, and the answer is a 409 that names it.',
  reply: JsonValue,
  errors: [
    'workflow_not_published',
    'workflow_disabled',
    'input_invalid',
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
  description: 'Newest first. All filters given have to hold.',
  params: byWorkflow,
  query: z.strictObject({
    ...listQuery,
    state: ExecutionState.optional(),
    trigger: TriggerKind.optional(),
    from: Timestamp.optional().describe('Accepted at this time or later.'),
    to: Timestamp.optional().describe('Accepted before this time.'),
  }),
  reply: listPage(ExecutionSummary),
  errors: [],
})

const get = operation({
  ...reading,
  id: 'workflows.execution',
  path: '/api/v1/workflows/executions/{executionId}',
  summary: 'Read an execution with its timeline',
  description:
    'What every task did: when, with what input, to what output or error. Values over 16 KiB stand as references; follow their `href`, or ask for `values=inline`.',
  transaction: 'own',
  params: byExecution,
  query: z.strictObject({
    values: z.enum(['reference', 'inline']).default('reference').describe('How large values are given.'),
    task: z.string().max(1000).optional().describe('Only the timeline of the task with this reference (JSON Pointer).'),
    limit: z.coerce
      .number<number>()
      .int()
      .min(1)
      .max(1000)
      .default(500)
      .describe('How many timeline entries to return at most; a page has fewer where their values have more than 4 MiB together.'),
    cursor: listQuery.cursor,
  }),
  reply: ExecutionDetail,
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
  reply: Execution,
} as const

const cancel = operation({
  ...control,
  id: 'executions.cancel',
  path: '/api/v1/workflows/executions/{executionId}/cancel',
  summary: 'Cancel an execution',
  description:
    'Ends it as `cancelled`, whatever it is doing: running tasks are aborted within a second, and the workflows that it runs are cancelled too. Answers with the execution as it stands; with `Prefer: wait=N` when it has ended, or after N seconds.',
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
    'Begins nothing more of it until it is resumed. A task that is under way ends first, so the execution may still be `running` in the answer; with `Prefer: wait=N` the answer comes when it is held or has ended, or after N seconds. Time goes on: a `wait` that is over meanwhile is over when it is resumed. Workflows that it runs go on.',
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
    'Goes on where it was held; also takes back a suspension that has not come into effect yet. With `Prefer: wait=N` the answer comes when it has ended or answered, or after N seconds.',
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
    'Makes a new execution that goes on from the task that failed, or from where it was cancelled: what was done before is taken over and not done again. The old one stays as it is and names the new one as `retriedBy`. With another version, a task is the same when its name and those around it are. With `Prefer: wait=N` the answer comes when the new one has ended or answered, or after N seconds.',
  audit: 'execution.retried',
  replyHeaders: ['Location', 'Preference-Applied'],
  body: z.strictObject({
    input: JsonValue.optional().describe('In place of the input that it had.'),
    version: z
      .union([z.literal('latest'), VersionNumber])
      .optional()
      .describe('Published version to go on with; the one that it ran unless given.'),
  }),
  errors: [
    'execution_not_ended',
    'execution_completed',
    'execution_retried',
    'workflow_deleted',
    'workflow_disabled',
    'input_invalid',
    'quota_exceeded',
  ],
})

const stream = operation({
  ...reading,
  id: 'executions.stream',
  path: '/api/v1/workflows/executions/{executionId}/stream',
  summary: 'Watch an execution live',
  description:
    'Server-sent events: `state` when its state has changed (data: `ExecutionSummary`), `task` when a task has begun, ended or come to wait (data: `TimelineEntry`; one with the `position` of an earlier one replaces it), and at its end `end` (data: `Execution`), after which the stream closes. A stream begins with the state and all that was done so far. Every event has an `id`: a stream that is asked for with the last one as `Last-Event-ID`, from whichever server, goes on after it without a gap and without a repetition. A comment comes every 15 seconds when nothing else does. The server closes a stream after 15 minutes, when it shuts down, or when nobody reads it; connect again then.',
  transaction: 'own',
  media: 'text/event-stream',
  requestHeaders: ['Last-Event-ID'],
  params: byExecution,
  query: z.strictObject({
    lastEventId: z.string().max(100).optional().describe('In place of the header `Last-Event-ID`, for clients that cannot send it.'),
  }),
  reply: z
    .string()
    .meta({ examples: ['event: state\nid: 0-0-running\ndata: {"id":"exec_01h455vb4pex5vsknk084sn02q","state":"running"}\n\n'] }),
  errors: ['too_many_streams', 'overloaded'],
})

/** Starting, reading, watching and controlling executions. The ids keep the three groups of the public interface. */
export const executions = { start, run, list, get, cancel, suspend, resume, retry, stream } as const
