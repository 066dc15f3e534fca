import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { Execution } from './execution-schemas.ts'
import { Definition, definitionBytesMax } from './workflow-schemas.ts'

const byId = z.object({ id: typeId('wf') })
/** The largest set of samples of a workflow. */
export const samplesBytesMax = 512 * 1024

const Reference = z
  .string()
  .max(1000)
  .regex(/^\/do\/./, { error: 'Must be the reference of a task, such as /do/1/pay.' })

const Samples = z
  .strictObject({
    input: JsonValue.optional().describe('Input of the workflow.'),
    tasks: z
      .record(
        Reference,
        z.strictObject({
          input: JsonValue.optional(),
          output: JsonValue.optional().describe('Replaces the task in a test of other tasks.'),
        }),
      )
      .default({})
      .describe('By the reference of a task, such as `/do/1/pay`.')
      .meta({ examples: [{ '/do/0/fetch': { output: { total: 12 } } }] }),
  })
  .meta({ id: 'WorkflowSamples' })

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const

const run = operation({
  id: 'workflowTests.run',
  method: 'POST',
  path: '/api/v1/workflows/{id}/test',
  summary: 'Test a workflow or one task',
  description:
    'Runs the draft, or the given definition without saving it. With `task`, only this task runs: its input is `taskInput`, or the sample of its input, or the sample output of the task before it; `$steps` has the pinned outputs and the sample outputs of the tasks before it. Without `task`, the whole definition runs, and tasks with a pinned output are replaced by it. Effects of all other tasks are real. The execution has the origin `test` and a negative `workflowVersion`; it causes no notification when it faults. Tests of a workflow that is disabled or not published run too. With `Prefer: wait=N` the response waits for the end.',
  stability: 'beta',
  auth: { scope: 'executions:run' },
  role: 'member',
  rateLimit: 'execution',
  audit: 'workflow.tested',
  idempotency: 'keyed',
  transaction: 'own',
  bodyLimit: 2 * definitionBytesMax,
  requestHeaders: ['Prefer'],
  replyHeaders: ['Location', 'Preference-Applied'],
  params: byId,
  body: z.strictObject({
    definition: Definition.optional().describe('Tested in place of the draft; needs the scope `workflows:write`.'),
    task: Reference.optional().describe('The task that runs alone.'),
    input: JsonValue.optional().describe('Input of the workflow; the sample of it unless given.'),
    taskInput: JsonValue.optional().describe('Input of the task that runs alone.'),
    context: z.record(z.string(), JsonValue).optional().describe('`$context` of the task that runs alone.'),
    items: z
      .record(z.string(), JsonValue)
      .default({})
      .describe('Items of the loops around the task that runs alone, by the name of the variable without `$`.'),
    pins: z
      .record(Reference, z.strictObject({ output: JsonValue }))
      .default({})
      .describe('Outputs of tasks, by their references; they replace samples.'),
    samples: z.boolean().default(true).describe('Whether the samples of the workflow apply.'),
  }),
  reply: Execution,
  errors: ['workflow_invalid', 'input_invalid', 'personal_data_blocked', 'quota_exceeded', 'overloaded'],
})

const samples = operation({
  ...base,
  id: 'workflowTests.samples',
  method: 'GET',
  path: '/api/v1/workflows/{id}/samples',
  summary: 'Read the samples of a workflow',
  description: 'Inputs and outputs with which its tasks are tested.',
  auth: { scope: 'workflows:read' },
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  reply: Samples,
})

const saveSamples = operation({
  ...base,
  id: 'workflowTests.saveSamples',
  method: 'PUT',
  path: '/api/v1/workflows/{id}/samples',
  summary: 'Replace the samples of a workflow',
  description: 'At most 512 KiB as JSON. Samples of tasks that the workflow does not have are kept: a task may be renamed back.',
  auth: { scope: 'workflows:write' },
  role: 'member',
  audit: 'none',
  idempotency: 'natural',
  params: byId,
  body: Samples,
  reply: Samples,
})

/** Tests of definitions and single tasks. */
export const workflowTests = { run, samples, saveSamples } as const
