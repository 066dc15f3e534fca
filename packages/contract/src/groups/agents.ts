import * as z from 'zod'
import { accountOperations } from '#src/account-operations.ts'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { decidingRoles } from '#src/roles.ts'
import { Duration, Timestamp } from '#src/time.ts'
import { toolNamePattern, toolNameWords } from '#src/tool-names.ts'
import { ConnectionName, FunctionName } from './connection-schemas.ts'
import { ExecutionState } from './execution-schemas.ts'

const ToolName = z
  .string()
  .regex(toolNamePattern, { error: `Must ${toolNameWords}.` })
  .describe('By which the model calls the tool.')
const Text = z.string().trim().min(1).max(2000)
const Risk = z
  .enum(['safe', 'ask'])
  .optional()
  .describe(
    '`ask`: a person must approve each call. Unless given, `safe` for GET requests and operations of the account, `ask` for everything else.',
  )
const JsonSchema = z.record(z.string(), JsonValue).describe('JSON Schema.')
const Url = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s/{}?#@]+(?:\/[^\s?#]*)?$/, {
    error: 'Must be an http or https URL with a fixed host, without user, query and fragment.',
  })
const Header = z.union([
  z
    .string()
    .max(2000)
    .regex(/^\P{Cc}*$/u, { error: 'Must be one line.' }),
  z.strictObject({
    secret: z.string().regex(/^[A-Za-z_][A-Za-z0-9_]{0,127}$/, { error: 'Must be the name of a secret.' }),
    prefix: z
      .string()
      .max(100)
      .regex(/^\P{Cc}*$/u)
      .default('')
      .describe('Text before the secret, such as `Bearer `.'),
  }),
])
const Headers = z
  .record(z.string().regex(/^[A-Za-z][A-Za-z0-9-]{0,75}$/, { error: 'Must be the name of a header.' }), Header)
  .refine((headers) => Object.keys(headers).length <= 20, { error: 'Must have at most 20 headers.' })
  .default({})
  .describe('Headers; `{ secret, prefix }` inserts a secret, which the model never sees.')

const Tool = z.discriminatedUnion('kind', [
  z.strictObject({
    kind: z.literal('workflow'),
    name: ToolName,
    description: Text,
    workflowId: typeId('wf').describe('A published workflow; its input schema describes the arguments.'),
    risk: Risk,
  }),
  z.strictObject({
    kind: z.literal('connector'),
    name: ToolName,
    description: Text,
    function: FunctionName.describe('A function of a connector, as in `slack.postMessage`; its input schema describes the arguments.'),
    connection: ConnectionName.optional().describe('The connection with which it is called; the model cannot choose another.'),
    risk: Risk,
  }),
  z.strictObject({
    kind: z.literal('http'),
    name: ToolName,
    description: Text,
    method: z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE']).default('GET'),
    url: Url.describe('The only address that the tool calls; `{name}` in its path is an argument of the model.'),
    headers: Headers,
    query: JsonSchema.optional().describe('JSON Schema of an object with parameters of the query; without it the query is empty.'),
    body: JsonSchema.optional().describe('JSON Schema of the body; without it nothing is sent.'),
    risk: Risk,
  }),
  z.strictObject({
    kind: z.literal('mcp'),
    name: ToolName.describe('Prefix of the names of its tools.'),
    url: Url.describe('An MCP server with Streamable HTTP.'),
    headers: Headers,
    tools: z.array(z.string().min(1).max(128)).min(1).max(50).describe('Names of the tools that the model may call.'),
    risk: Risk,
  }),
  z.strictObject({
    kind: z.literal('account'),
    name: ToolName.describe('Prefix of the names of its operations.'),
    operations: z
      .array(z.enum(accountOperations))
      .min(1)
      .max(accountOperations.length)
      .describe('What the model may read of the account, at most with the rights of who starts the run.'),
    risk: Risk,
  }),
])

const Approver = z.union([z.email().max(320), typeId('usr'), z.strictObject({ role: z.enum(decidingRoles) })])

const RunRequest = z.strictObject({
  goal: z
    .string()
    .trim()
    .min(1)
    .max(20_000)
    .meta({ description: 'What the agent is to achieve.', examples: ['Summarize the open orders.'] }),
  data: JsonValue.optional().describe('Data for the goal. It is shown to the model as data, not as instructions.'),
  tools: z.array(Tool).max(20).default([]).describe('The tools that the agent may use, and no others.'),
  quality: z.enum(['fast', 'strong']).default('strong').describe('Role of the model.'),
  limits: z
    .strictObject({
      steps: z.int().min(1).max(50).default(10).describe('Turns of the model.'),
      tokens: z.int().min(100).max(5_000_000).default(200_000),
      cost: z
        .number()
        .positive()
        .max(1_000_000)
        .optional()
        .describe('What the run may cost, in the currency of the prices of the models. They must have prices.'),
      duration: Duration.default('PT1H').describe('After which no further turn begins; at most `P7D`. Approvals count.'),
    })
    .default({ steps: 10, tokens: 200_000, duration: 'PT1H' }),
  approval: z
    .strictObject({
      policy: z
        .enum(['risky', 'always', 'never'])
        .default('risky')
        .describe('`risky`: tools with the risk `ask` ask a person. `never` needs the role admin.'),
      approvers: z.array(Approver).min(1).max(20).optional().describe('Who is asked; the caller unless given.'),
      deadline: Duration.default('P1D').describe('After which a call that was not approved is rejected.'),
    })
    .default({ policy: 'risky', deadline: 'P1D' }),
})

const AgentRun = z
  .object({
    id: typeId('arun'),
    goal: z.string(),
    state: ExecutionState.describe('State of the execution; `waiting` usually means that a person is asked.'),
    outcome: z
      .enum(['answered', 'step_limit', 'token_limit', 'cost_limit', 'time_limit', 'faulted', 'cancelled'])
      .nullable()
      .describe('Null while it has not ended.'),
    answer: z.string().nullable(),
    answerWithheld: z.string().optional().describe('Why the answer is not shown: the privacy policy refuses it.'),
    quality: z.enum(['fast', 'strong']),
    executionId: typeId('exec')
      .nullable()
      .describe('Its execution, with which it is cancelled, suspended and retried; null for a moment after the start.'),
    turns: z.int(),
    toolCalls: z.int(),
    inputTokens: z.int(),
    outputTokens: z.int(),
    cost: z.number().describe('By the prices of the models; 0 without prices.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
  })
  .meta({ id: 'AgentRun' })

const Step = z
  .object({
    kind: z.enum(['model', 'tool', 'approval']),
    name: z.string(),
    state: z.enum(['running', 'waiting', 'completed', 'faulted', 'skipped', 'cancelled']),
    startedAt: z.iso.datetime(),
    endedAt: z.iso.datetime().nullable(),
    output: z.string().nullable().describe('The first 2,000 characters of the output, as JSON.'),
    error: z.string().nullable(),
  })
  .meta({ id: 'AgentStep' })

const base = { stability: 'beta', rateLimit: 'default' } as const
const reads = { ...base, method: 'GET', auth: { scope: 'agents:read' }, audit: 'none', idempotency: 'natural', transaction: 'own' } as const
const byId = z.object({ id: typeId('arun') })
const streams = {
  media: 'text/event-stream',
  requestHeaders: ['Last-Event-ID'],
  query: z.strictObject({
    lastEventId: z.string().max(100).optional().describe('Replaces the header `Last-Event-ID`, for clients that cannot send it.'),
  }),
  errors: ['too_many_streams', 'overloaded'],
} as const

const run = operation({
  ...base,
  id: 'agent.run',
  method: 'POST',
  path: '/api/v1/agent/run',
  summary: 'Run an agent',
  description:
    'A model works towards a goal with the given tools. The run is an execution: every turn of the model and every call of a tool is journalled, so that a crash repeats none that was. The tools are fixed and their arguments validated; an HTTP tool reaches its own address only; secrets are inserted after the model has chosen. A call with the risk `ask` waits for the approval of a person. Responds as soon as the run is durably accepted.',
  auth: { scope: 'agents:run' },
  role: 'member',
  rateLimit: 'execution',
  audit: 'agent.started',
  idempotency: 'keyed',
  transaction: 'own',
  replyHeaders: ['Location'],
  body: RunRequest,
  reply: AgentRun,
  errors: ['agent_invalid', 'personal_data_blocked', 'model_not_configured', 'overloaded', 'quota_exceeded'],
})

const list = operation({
  ...reads,
  id: 'agent.runs',
  path: '/api/v1/agent/runs',
  summary: 'List the agent runs',
  description: 'Newest first.',
  query: z.strictObject({ ...listQuery, outcome: AgentRun.shape.outcome.unwrap().optional() }),
  reply: listPage(AgentRun),
  errors: [],
})

const get = operation({
  ...reads,
  id: 'agent.getRun',
  path: '/api/v1/agent/runs/{id}',
  summary: 'Read an agent run with its steps',
  params: byId,
  reply: AgentRun.extend({ steps: z.array(Step).describe('The first 200, oldest first.') }).meta({ id: 'AgentRunDetail' }),
  errors: ['overloaded'],
})

const stream = operation({
  ...reads,
  ...streams,
  id: 'agent.streamRun',
  path: '/api/v1/agent/runs/{id}/stream',
  summary: 'Watch an agent run live',
  description:
    'The stream of its execution (see `executions.stream`): `state`, `task` and `end`, each with an `id` from which the stream continues.',
  params: byId,
  reply: z.string().meta({ examples: ['event: state\nid: 0-0-running\ndata: {"state":"running"}\n\n'] }),
})

const live = operation({
  ...reads,
  ...streams,
  query: z.strictObject({
    ...streams.query.shape,
    seconds: z.coerce.number<number>().int().min(1).max(900).default(900).describe('After which the server closes the stream.'),
  }),
  id: 'agent.streamRuns',
  path: '/api/v1/agent/runs/live/stream',
  summary: 'Watch all agent runs live',
  description:
    'Server-sent events `run` with an `AgentRun`: first the runs that have not ended, then each run whenever it changes. An event replaces earlier ones of the same run. With the last `id` as `Last-Event-ID`, runs that changed since are sent. A comment is sent after 15 seconds without an event; the server closes a stream after 15 minutes, or after `seconds`.',
  reply: z.string().meta({ examples: ['event: run\nid: 1700000000000\ndata: {"id":"arun_01h455vb4pex5vsknk084sn02q"}\n\n'] }),
})

const stats = operation({
  ...reads,
  id: 'agent.stats',
  path: '/api/v1/agent/stats',
  summary: 'Figures of agent runs',
  description: 'Of the runs that began in a period: the last 30 days unless given.',
  query: z.strictObject({ from: Timestamp.optional(), to: Timestamp.optional() }),
  reply: z
    .object({
      from: z.iso.datetime(),
      to: z.iso.datetime(),
      runs: z.int(),
      outcomes: z.record(z.string(), z.int()).describe('Runs by outcome; `running` for those that have not ended.'),
      successRate: z.number().nullable().describe('Share of the ended runs that were answered; null without any.'),
      turns: z.int(),
      toolCalls: z.int(),
      tools: z
        .record(
          z.string(),
          z.object({
            calls: z.int().describe('Calls that were made.'),
            failed: z.int().describe('Calls that were made and failed.'),
            refused: z.int().describe('Calls that the checks of the run refused, as with arguments that do not match.'),
            approved: z.int().describe('Calls that a person approved, and that were made.'),
            rejected: z.int().describe('Calls that a person rejected or left unanswered.'),
          }),
        )
        .describe('By the name of the tool, the 50 with most calls; `(unknown)` for names that no tool of the run has.'),
      approvals: z
        .object({ approved: z.int(), rejected: z.int(), rate: z.number().nullable().describe('From 0 to 1; null without any.') })
        .describe('Of calls that ask a person first.'),
      inputTokens: z.int(),
      outputTokens: z.int(),
      cost: z.number(),
      durationMs: z.object({ median: z.number().nullable(), p95: z.number().nullable() }).describe('Of ended runs, waiting included.'),
    })
    .meta({ id: 'AgentStats' }),
  errors: [],
})

/** Agent runs. */
export const agents = { run, list, get, stream, live, stats } as const
