import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { operation } from '#src/operation.ts'
import { Timestamp } from '#src/time.ts'

const Times = z
  .object({
    mean: z.int().nullable().describe('Milliseconds, rounded. Null without executions that were begun.'),
    p50: z.int().nullable().describe('Median in milliseconds, within 2 percent, as are the other percentiles.'),
    p90: z.int().nullable(),
    p99: z.int().nullable(),
  })
  .meta({ id: 'ExecutionTimes' })

const counts = {
  executions: z.int().describe('Executions that ended.'),
  completed: z.int(),
  faulted: z.int(),
  cancelled: z.int(),
} as const

const Figures = z
  .object({
    ...counts,
    retries: z.int().describe('Those among them that retried another execution.'),
    successRate: z.number().nullable().describe('Completed ones among the completed and faulted ones, from 0 to 1; null without any.'),
    durationMs: Times.describe('From the begin to the end.'),
    queueWaitMs: Times.describe('From the acceptance to the begin.'),
    savedMinutes: z
      .number()
      .nullable()
      .describe('Completed executions times the `minutesPerRun` of their workflows, or that of the request; null where none is stated.'),
  })
  .meta({ id: 'ExecutionFigures' })

const Bucket = z
  .object({
    at: z.iso.datetime().describe('Where the bucket starts; it ends where the next one starts.'),
    local: z.string().describe('The same time in the zone, with its offset.'),
    ...counts,
    retries: z.int(),
    meanDurationMs: z.int().nullable(),
  })
  .meta({ id: 'ExecutionBucket' })

const period = {
  from: z.iso.datetime(),
  to: z.iso.datetime(),
} as const

const common = {
  ...period,
  zone: z.string(),
  interval: z.enum(['hour', 'day', 'week', 'month']),
  totals: Figures,
  previous: z.object({ ...period, totals: Figures }).describe('The period of the same length before this one, for comparison.'),
  buckets: z.array(Bucket).describe('All buckets of the period, oldest first; also those without executions.'),
} as const

const query = {
  from: Timestamp.optional().describe(
    'Begin of the period, moved back to a quarter of an hour; the begin of the day 30 days ago unless given.',
  ),
  to: Timestamp.optional().describe('End of the period, moved on to a quarter of an hour; now unless given.'),
  zone: z
    .string()
    .max(64)
    .optional()
    .describe('IANA time zone in which days, weeks and months begin; that of the account unless given, else UTC.')
    .meta({ examples: ['Europe/Berlin'] }),
  interval: z.enum(['hour', 'day', 'week', 'month']).optional().describe('Length of a bucket; by the length of the period unless given.'),
  minutesPerRun: z.coerce
    .number<number>()
    .min(0)
    .max(100_000)
    .optional()
    .describe('Minutes of work that one completed execution saves, in place of those that the workflows state.'),
} as const

const Failure = z.object({
  task: z.string().describe('JSON Pointer to the task in the definition; empty for the workflow itself.'),
  errorType: z.string().describe('URI of the kind of error.'),
  executions: z.int(),
})
const failuresText = 'Where executions faulted, most often first; at most 20.'

const SlowTask = z
  .object({
    task: z.string().describe('JSON Pointer to the task in the definition.'),
    attempts: z.int().describe('Attempts in executions that ended; each iteration of a loop has its own.'),
    failed: z.int().describe('Those that ended with an error, also one that was caught or retried.'),
    meanMs: z.int(),
    longestMs: z.int(),
    totalMs: z.int(),
  })
  .meta({ id: 'SlowTask' })
const slowestText =
  'Tasks with the longest attempts on average, at most 20: calls, scripts, child workflows, events and decisions of people, with the time that they waited for them. Pauses and tasks that only compute are left out.'

const ofWorkflow = {
  workflowId: typeId('wf'),
  workflowName: z.string().nullable().describe('Null for a workflow that was deleted for good.'),
} as const

const reading = {
  method: 'GET',
  stability: 'beta',
  auth: { scope: 'executions:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  errors: [],
} as const

const description =
  'Counts ended executions by the time of their end, exactly: from figures that are added up as executions end, and from those that ended a moment ago. Figures stay when retention deletes executions. A period has at most 1100 days and 1000 buckets.'

const workflows = operation({
  ...reading,
  id: 'analytics.workflows',
  path: '/api/v1/analytics/workflows',
  summary: 'Analyse the executions of all workflows',
  description,
  query: z.strictObject({
    ...query,
    sort: z
      .enum(['executions', 'faulted', 'duration', 'successRate'])
      .default('executions')
      .describe('Order of `workflows`: most executions, most faults, longest mean duration, lowest success rate.'),
    limit: z.coerce.number<number>().int().min(1).max(100).default(25).describe('The largest number of workflows to return.'),
  }),
  reply: z.object({
    ...common,
    workflows: z
      .array(
        Figures.extend({
          workflowId: typeId('wf'),
          name: z.string().nullable().describe('Null for a workflow that was deleted for good.'),
        }),
      )
      .describe('The first workflows in the order of `sort`.'),
    failures: z.array(Failure.extend(ofWorkflow)).describe(failuresText),
    slowestTasks: z.array(SlowTask.extend(ofWorkflow).meta({ id: 'SlowTaskOfWorkflow' })).describe(slowestText),
  }),
})

const workflow = operation({
  ...reading,
  id: 'analytics.workflow',
  path: '/api/v1/analytics/workflows/{id}',
  summary: 'Analyse the executions of a workflow',
  description,
  params: z.object({ id: typeId('wf') }),
  query: z.strictObject(query),
  reply: z.object({
    ...common,
    workflowId: typeId('wf'),
    name: z.string(),
    failures: z.array(Failure).describe(failuresText),
    slowestTasks: z.array(SlowTask).describe(slowestText),
  }),
})

/** Figures about ended executions. */
export const analytics = { workflows, workflow } as const
