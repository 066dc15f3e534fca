import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { VersionNumber } from '#src/version-number.ts'
import { Execution } from './execution-schemas.ts'

const params = z.object({ executionId: typeId('exec') })

/** What all acts on an execution have in common. They wait outside of a transaction, so each opens its own. */
const act = {
  method: 'POST',
  stability: 'stable',
  auth: { scope: 'executions:control' },
  role: 'member',
  rateLimit: 'execution',
  idempotency: 'keyed',
  transaction: 'own',
  requestHeaders: ['Prefer'],
  params,
  reply: Execution,
} as const

const cancel = operation({
  ...act,
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
  ...act,
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
  ...act,
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
  ...act,
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
  id: 'executions.stream',
  method: 'GET',
  path: '/api/v1/workflows/executions/{executionId}/stream',
  summary: 'Watch an execution live',
  description:
    'Server-sent events: `state` when its state has changed (data: `ExecutionSummary`), `task` when a task has begun, ended or come to wait (data: `TimelineEntry`; one with the `position` of an earlier one replaces it), and at its end `end` (data: `Execution`), after which the stream closes. A stream begins with the state and all that was done so far. Every event has an `id`: a stream that is asked for with the last one as `Last-Event-ID`, from whichever server, goes on after it without a gap and without a repetition. A comment comes every 15 seconds when nothing else does. The server closes a stream after 15 minutes, when it shuts down, or when nobody reads it; connect again then.',
  stability: 'stable',
  auth: { scope: 'executions:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  media: 'text/event-stream',
  requestHeaders: ['Last-Event-ID'],
  params,
  query: z.strictObject({
    lastEventId: z.string().max(100).optional().describe('In place of the header `Last-Event-ID`, for clients that cannot send it.'),
  }),
  reply: z
    .string()
    .meta({ examples: ['event: state\nid: 0-0-running\ndata: {"id":"exec_01h455vb4pex5vsknk084sn02q","state":"running"}\n\n'] }),
  errors: ['too_many_streams', 'overloaded'],
})

/** What is done to an execution, and watching it. */
export const executions = { cancel, suspend, resume, retry, stream } as const
