import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { deadlineActions } from '#src/groups/deadline-actions.ts'
import { JsonObject, JsonValue } from '#src/json.ts'

export const executionStates = ['pending', 'running', 'waiting', 'suspended', 'completed', 'faulted', 'cancelled'] as const
export const triggerKinds = [
  'manual',
  'schedule',
  'webhook',
  'event',
  'watch',
  'workflow',
  'chain',
  'agent',
  'assistant',
  'retry',
  'replay',
  'test',
] as const

export const ExecutionState = z
  .enum(executionStates)
  .describe(
    '`pending`: accepted. `waiting`: parked until a time, an event or a decision. `suspended`: stopped on request. The last three are final.',
  )

export const TriggerKind = z.enum(triggerKinds).describe('What started it: `manual` is a person or the API.')

const ExecutionError = z
  .object({
    type: z.string().describe('URI of the kind of error, such as `https://serverlessworkflow.io/spec/1.0.0/errors/communication`.'),
    status: z.int(),
    title: z.string().optional(),
    detail: z.string().optional(),
    instance: z.string().optional().describe('JSON Pointer to the task that raised it.'),
  })
  .meta({ id: 'ExecutionError', description: 'An error as the DSL defines it (RFC 9457).' })

const ValueReference = z
  .object({
    bytes: z.int().describe('Size of the value as JSON.'),
    href: z.string().describe('Path of a response with the value inline.'),
  })
  .meta({ id: 'ValueReference', description: 'Reference to a value that is too large for the response.' })

const TaskWait = z
  .object({
    what: z
      .enum(['time', 'retry', 'event', 'decision', 'execution'])
      .describe('`retry`: for the time of the next attempt. `decision`: of people. `execution`: for the end of another one.'),
    until: z.iso
      .datetime()
      .optional()
      .describe('When it continues; of an event, a decision or another execution when the timeout of the task ends the wait.'),
    attempt: z.int().optional().describe('Of a retry: the number of the next attempt.'),
    attemptsMax: z.int().optional().describe('Of a retry: how many attempts there are at most. Absent without a limit.'),
    events: z
      .array(
        z.object({
          attributes: JsonObject.describe('What the definition requires of the event, such as its `type`.'),
          correlation: JsonObject.describe('Values of the execution that the event must have, by the name of the correlation.'),
        }),
      )
      .optional()
      .describe('The events of which it takes one, or each.'),
    workflow: z.string().optional().describe('Name of the workflow of the other execution, in its definition.'),
  })
  .meta({
    id: 'TaskWait',
    description: 'What a task waits for.',
    examples: [{ what: 'event', events: [{ attributes: { type: 'com.example.paid' }, correlation: { order: 4711 } }] }],
  })

export const TimelineEntry = z
  .object({
    position: z.string().describe('Unique within the execution: distinguishes iterations, visits and attempts of a task.'),
    reference: z.string().describe('JSON Pointer to the task in the definition.'),
    name: z.string(),
    kind: z.string().describe('Kind of the task, such as `call` or `wait`.'),
    iteration: z.array(z.int()).describe('Indices of the enclosing loops, outermost first.'),
    attempt: z.int().describe('1 for the first try.'),
    state: z
      .enum(['running', 'waiting', 'completed', 'faulted', 'cancelled', 'skipped'])
      .describe('`waiting`: for a time, an event, a decision or another execution.'),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    waitsFor: TaskWait.optional().describe('While it waits; also of a `try` that is `running` and waits for its next attempt.'),
    input: JsonValue.optional(),
    inputReference: ValueReference.optional(),
    output: JsonValue.optional(),
    outputReference: ValueReference.optional(),
    error: ExecutionError.optional(),
  })
  .meta({ id: 'TimelineEntry', description: 'One attempt of one task.' })

export const ExecutionSummary = z
  .object({
    id: typeId('exec'),
    workflowId: typeId('wf'),
    workflowVersion: z.int().describe('Number of the published version that it runs; negative for a test, which runs a draft.'),
    state: ExecutionState,
    trigger: TriggerKind,
    createdAt: z.iso.datetime(),
    startedAt: z.iso.datetime().nullable(),
    endedAt: z.iso.datetime().nullable(),
    error: ExecutionError.optional(),
    labels: z
      .record(z.string(), z.string())
      .optional()
      .describe('What it is about: values by which its workflow lets people find it, by name. Absent if it has none.'),
    awaitsTurn: z
      .literal(true)
      .optional()
      .describe('Only of a pending execution that waits for its turn, because its workflow limits how many run at once.'),
    lapsedApproval: z
      .object({
        endedAt: z.iso.datetime(),
        onDeadline: z.enum(deadlineActions).describe('What followed: it counted as approved or rejected, or the task failed.'),
      })
      .optional()
      .describe('In lists, the last approval that was not decided before its deadline, if there is one.'),
    decidedApproval: z
      .object({ endedAt: z.iso.datetime(), verdict: z.enum(['approved', 'rejected']) })
      .optional()
      .describe('In lists, the last approval that people decided, if there is one.'),
    waitsFor: z
      .object({
        what: z.enum(['time', 'event', 'decision', 'execution']),
        task: z.string().optional().describe('Name of the task that waits for an event or a decision.'),
        until: z.iso.datetime().optional().describe('When it continues at the latest.'),
      })
      .optional()
      .describe('In lists, what a waiting execution waits for; of several waits a decision, else an event.'),
  })
  .meta({ id: 'ExecutionSummary' })

export const FoundExecution = ExecutionSummary.extend({
  workflowName: z.string().nullable().describe('Null for a workflow that was deleted for good.'),
  durationMs: z.int().nullable().describe('From the begin to the end; null before the end, and for one that never began.'),
}).meta({ id: 'FoundExecution' })

const ErasedData = z
  .object({ erasureId: typeId('era'), at: z.iso.datetime() })
  .meta({ id: 'ErasedData' })
  .describe('Present if data of a person was erased in it: marks such as `[erased:4f2a91c0-1]` are in its place.')

export const Execution = ExecutionSummary.omit({ lapsedApproval: true, decidedApproval: true, waitsFor: true })
  .extend({
    input: JsonValue.optional(),
    inputReference: ValueReference.optional(),
    output: JsonValue.optional().describe('Only of a completed execution.'),
    outputReference: ValueReference.optional(),
    answer: JsonValue.optional().describe('The reply that it returned to its caller, by `call: respond`.'),
    answerReference: ValueReference.optional(),
    outputWithheld: z.string().optional().describe('Why the output or the answer is not shown: the privacy policy refuses it.'),
    outputRedacted: z.boolean().optional().describe('The privacy policy has replaced personal data in the output or the answer.'),
    labelProblems: z
      .array(z.object({ name: z.string(), problem: z.string() }))
      .optional()
      .describe(
        'Labels that the workflow declares and that have no value, because their expression failed or gave no text, number or boolean.',
      ),
    retryOf: typeId('exec').optional().describe('The execution that this one continues.'),
    causedBy: typeId('exec')
      .optional()
      .describe('The execution by whose end this one was started, or the one that this one descends from.'),
    retriedBy: typeId('exec').optional().describe('The execution that continues this one.'),
    turn: z
      .object({
        max: z.int().describe('How many executions of the workflow run at once.'),
        ahead: z.int().describe('How many wait before this one; more than 1,000 are not counted.'),
      })
      .optional()
      .describe('Only of a pending execution that waits for its turn.'),
    erased: ErasedData.optional(),
  })
  .meta({ id: 'Execution', description: 'One run of one version of a workflow.' })

const TaskSummary = z
  .object({
    reference: z.string().describe('JSON Pointer of the task in the definition.'),
    name: z.string(),
    kind: z.string(),
    states: z.record(z.string(), z.int()).describe('How many of its timeline entries have each state, over iterations and attempts.'),
    firstStartedAt: z.iso.datetime(),
    lastEndedAt: z.iso.datetime().nullable(),
    medianMs: z.number().nullable().describe('Median time from start to end, of those that have ended.'),
  })
  .meta({ id: 'TaskSummary' })

export const ExecutionDetail = Execution.extend({
  tasks: z.array(TaskSummary).optional().describe('With `view=summary`: each task once, in the order in which they first started.'),
  timeline: z.array(TimelineEntry).describe('Its tasks, in the order in which they started.'),
  timelineNextCursor: z.string().nullable().describe('Send it as `cursor` to get the next entries; null on the last page.'),
}).meta({ id: 'ExecutionDetail' })

const JournalEntry = z
  .object({
    seq: z.int(),
    position: z.string(),
    phase: z.enum(['started', 'ended']),
    kind: z.string().describe('The function of an effect, or `timer`, `workflow`, `wait`, `message`, `emit`, `answer`.'),
    ok: z.boolean(),
    value: JsonValue.describe('The outcome: a value, or an error.'),
    decisions: z.string().describe('Choices of the flow since the entry before.'),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime(),
  })
  .meta({ id: 'ExecutionJournalEntry', description: 'An outcome as the engine recorded it.' })

export const ExecutionRecord = z
  .object({
    executionId: typeId('exec'),
    state: ExecutionState,
    workflowVersion: z.int(),
    startedAt: z.iso.datetime().nullable(),
    input: JsonValue,
    output: JsonValue.optional(),
    error: ExecutionError.optional(),
    decisions: z.string().describe('Choices of the flow after the last entry of the journal.'),
    definition: JsonValue.describe('The definition of its version.'),
    functions: z.array(
      z.object({
        name: z.string(),
        version: z.string(),
        summary: z.string(),
        performs: z.enum(['effect', 'waiting', 'answer']),
        input: JsonValue,
        output: JsonValue,
      }),
    ),
    resources: z.record(z.string(), JsonValue).describe('Documents that were pinned when the version was published, by their URL.'),
    journal: z.array(JournalEntry),
    nextCursor: z.string().nullable().describe('Send it as `cursor` to get the next entries; null on the last page.'),
    erased: ErasedData.optional(),
  })
  .meta({ id: 'ExecutionRecord', description: 'What an execution can be replayed from.' })
