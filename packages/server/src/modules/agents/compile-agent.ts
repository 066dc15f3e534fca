import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '@millrace/engine'
import type { AgentTool, ToolHeader } from './model.ts'

/** Who approves calls, and for how long they are asked. */
export interface AgentApproval {
  readonly approvers: readonly Json[]
  readonly deadline: string
}

const namespace = 'millrace-agents'

/** Adds what a turn gave to the state of the run. `turn` and `result` are shown as the outputs of the steps. */
const afterTurn = `\${ . as $turn | $input | .turn = $turn | .state = ((.state // {}) as $run | $run + {
  messages: (($run.messages // []) + [$turn.message] + $turn.refused),
  turns: (($run.turns // 0) + 1),
  toolCalls: (($run.toolCalls // 0) + ($turn.calls | length)),
  inputTokens: (($run.inputTokens // 0) + $turn.usage.inputTokens),
  outputTokens: (($run.outputTokens // 0) + $turn.usage.outputTokens),
  costMicros: (($run.costMicros // 0) + $turn.usage.costMicros) }) }`

/** Adds the result of a call to the conversation. */
const afterCall = `\${ .result as $result | .state.messages += [{
  role: "tool", id: $call.id, name: $call.name, ok: ($result | has("ok")),
  content: (if ($result | has("ok")) then $result.ok else $result.failed end) }] }`

/** What the model reads of a call that a person rejected. */
export const notPermitted = 'A person did not permit this call.'

const permitted = '(($call.ask | not) or (.permitted == true))'

/** Compiles the tools of a run to a definition that loops over turns of the model and calls of the tools. */
export function compileAgent(
  tools: readonly AgentTool[],
  approval: AgentApproval,
): { readonly definition: JsonObject; readonly digest: string } {
  const secrets = [...new Set(tools.flatMap(secretsOf))]
  const begin: JsonObject = { set: { run: '${ $workflow.input }', state: {} } }
  const work: JsonObject = {
    ...(secrets.length === 0 ? {} : { use: { secrets } }),
    do: agentTasks(begin, tools, approval),
  }
  const digest = createHash('sha256').update(JSON.stringify(work)).digest('hex').slice(0, 32)
  const document = { dsl: '1.0.3', namespace, name: `agent-${digest}`, version: '1.0.0', title: 'Agent' }
  return { definition: { document, ...work }, digest }
}

/**
 * The tasks of an agent. What a run has collected is the data that flows from task to task, so that agents of one execution share nothing.
 * @param begin a task whose output has the `run` and its empty `state`.
 */
export function agentTasks(begin: JsonObject, tools: readonly AgentTool[], approval: AgentApproval): JsonObject[] {
  return [
    { begin },
    ...tools.flatMap(listing),
    { turn: { call: 'agent-turn', with: { run: '${ .run }', state: '${ .state }' }, output: { as: afterTurn } } },
    { decide: { switch: [{ ended: { when: '${ .turn.outcome != null }', then: 'finish' } }, { work: { then: 'act' } }] } },
    { act: { for: { each: 'call', in: '${ .turn.calls }' }, do: callTasks(tools, approval), then: 'turn' } },
    {
      finish: {
        set: {
          outcome: '${ .turn.outcome }',
          answer: '${ .turn.answer }',
          turns: '${ .state.turns }',
          toolCalls: '${ .state.toolCalls }',
          inputTokens: '${ .state.inputTokens }',
          outputTokens: '${ .state.outputTokens }',
          cost: '${ .state.costMicros / 1000000 }',
        },
      },
    },
  ]
}

/** Reads the tools of an MCP server, once for each run. */
function listing(tool: AgentTool): readonly JsonObject[] {
  if (tool.kind !== 'mcp') return []
  const as = `\${ . as $listed | $input | .state.mcp[${JSON.stringify(tool.name)}] = ($listed.tools // []) }`
  return [{ [`list-${tool.name}`]: { call: 'mcp', with: { method: 'tools/list', transport: transportOf(tool) }, output: { as } } }]
}

function callTasks(tools: readonly AgentTool[], { approvers, deadline }: AgentApproval): JsonObject[] {
  return [
    {
      approval: {
        if: '${ $call.ask }',
        call: 'approve',
        with: {
          title: '${ $call.title }',
          description: '${ $call.reason }',
          details: '${ { tool: $call.name, arguments: $call.arguments } }',
          approvers: [...approvers],
          deadline,
          excludeStarter: false,
        },
        output: { as: '${ .approved as $approved | $input | .permitted = $approved }' },
      },
    },
    ...tools.map((tool) => ({
      [`use-${tool.name}`]: {
        if: `\${ $call.tool == ${JSON.stringify(tool.name)} and ${permitted} }`,
        try: [{ call: { ...effectOf(tool), output: { as: '${ . as $value | $input | .result = { ok: $value } }' } } }],
        catch: {
          as: 'error',
          do: [
            {
              failed: {
                set: '${ .result = { failed: { status: $error.status, title: $error.title, detail: $error.detail } } }',
              },
            },
          ],
        },
        output: { as: afterCall },
      },
    })),
    {
      refused: {
        if: `\${ ${permitted} | not }`,
        set: `\${ .result = { failed: { title: ${JSON.stringify(notPermitted)} } } }`,
        output: { as: afterCall },
      },
    },
  ]
}

function effectOf(tool: AgentTool): JsonObject {
  switch (tool.kind) {
    case 'workflow':
      return { run: { workflow: { ...tool.document, version: 'latest', input: '${ $call.arguments }' } } }
    case 'connector': {
      const connection = tool.connection === undefined ? {} : { connection: tool.connection }
      return { call: 'connector-call', with: { function: tool.function, ...connection, arguments: '${ $call.arguments }' } }
    }
    case 'http': {
      const body = tool.body === undefined ? {} : { body: '${ $call.request.body }' }
      const headers = headersOf(tool.headers)
      return {
        call: 'http',
        with: { method: tool.method.toLowerCase(), endpoint: '${ $call.request.url }', headers, ...body, output: 'content' },
      }
    }
    case 'mcp': {
      const parameters = { name: '${ $call.remote }', arguments: '${ $call.arguments }' }
      return { call: 'mcp', with: { method: 'tools/call', parameters, transport: transportOf(tool) } }
    }
    case 'account': {
      const operations = [...tool.operations]
      return { call: 'account-read', with: { operation: '${ $call.remote }', operations, arguments: '${ $call.arguments }' } }
    }
  }
}

function transportOf({ url, headers }: Extract<AgentTool, { readonly kind: 'mcp' }>): JsonObject {
  return { http: { endpoint: url, ...(Object.keys(headers).length === 0 ? {} : { headers: headersOf(headers) }) } }
}

/** Texts of headers are quoted, so that nothing in them is an expression. */
function headersOf(headers: Readonly<Record<string, ToolHeader>>): JsonObject {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name,
      typeof value === 'string' ? `\${ ${JSON.stringify(value)} }` : `\${ ${JSON.stringify(value.prefix)} + $secrets.${value.secret} }`,
    ]),
  )
}

function secretsOf(tool: AgentTool): readonly string[] {
  if (tool.kind === 'workflow' || tool.kind === 'connector' || tool.kind === 'account') return []
  return Object.values(tool.headers).flatMap((value) => (typeof value === 'string' ? [] : [value.secret]))
}
