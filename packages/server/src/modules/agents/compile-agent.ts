import { createHash } from 'node:crypto'
import type { Json, JsonObject } from '@millrace/engine'
import type { AgentTool, ToolHeader } from './model.ts'

/** Who approves calls, and for how long they are asked. */
export interface AgentApproval {
  readonly approvers: readonly Json[]
  readonly deadline: string
}

const namespace = 'millrace-agents'

/** Adds what a turn gave to the state of the run. */
const afterTurn = `\${ . as $turn | ($context // {}) as $run | $run + {
  messages: (($run.messages // []) + [$turn.message] + $turn.refused),
  turns: (($run.turns // 0) + 1),
  toolCalls: (($run.toolCalls // 0) + ($turn.calls | length)),
  inputTokens: (($run.inputTokens // 0) + $turn.usage.inputTokens),
  outputTokens: (($run.outputTokens // 0) + $turn.usage.outputTokens),
  outcome: $turn.outcome, answer: $turn.answer } }`

/** Adds the result of a call to the conversation. */
const afterCall = `\${ . as $result | $context + { messages: ($context.messages + [{
  role: "tool", id: $call.id, name: $call.name, ok: ($result | has("ok")),
  content: (if ($result | has("ok")) then $result.ok else $result.failed end) }]) } }`

const permitted = '(($call.ask | not) or ($context.permitted == true))'

/** Compiles the tools of a run to a definition that loops over turns of the model and calls of the tools. */
export function compileAgent(
  tools: readonly AgentTool[],
  approval: AgentApproval,
): { readonly definition: JsonObject; readonly digest: string } {
  const secrets = [...new Set(tools.flatMap(secretsOf))]
  const work: JsonObject = {
    ...(secrets.length === 0 ? {} : { use: { secrets } }),
    do: [
      ...tools.flatMap(listing),
      {
        turn: {
          call: 'agent-turn',
          with: { run: '${ $workflow.input }', state: '${ $context // {} }' },
          export: { as: afterTurn },
        },
      },
      { decide: { switch: [{ ended: { when: '${ .outcome != null }', then: 'finish' } }, { work: { then: 'act' } }] } },
      { act: { for: { each: 'call', in: '${ .calls }' }, do: callTasks(tools, approval), then: 'turn' } },
      {
        finish: {
          set: {
            outcome: '${ $context.outcome }',
            answer: '${ $context.answer }',
            turns: '${ $context.turns }',
            toolCalls: '${ $context.toolCalls }',
          },
        },
      },
    ],
  }
  const digest = createHash('sha256').update(JSON.stringify(work)).digest('hex').slice(0, 32)
  const document = { dsl: '1.0.3', namespace, name: `agent-${digest}`, version: '1.0.0', title: 'Agent' }
  return { definition: { document, ...work }, digest }
}

/** Reads the tools of an MCP server, once for each run. */
function listing(tool: AgentTool): readonly JsonObject[] {
  if (tool.kind !== 'mcp') return []
  const exported = `\${ . as $listed | ($context // {}) as $run | $run + { mcp: (($run.mcp // {}) + { ${JSON.stringify(tool.name)}: ($listed.tools // []) }) } }`
  return [
    { [`list-${tool.name}`]: { call: 'mcp', with: { method: 'tools/list', transport: transportOf(tool) }, export: { as: exported } } },
  ]
}

function callTasks(tools: readonly AgentTool[], { approvers, deadline }: AgentApproval): readonly JsonObject[] {
  return [
    {
      approval: {
        if: '${ $call.ask }',
        call: 'approve',
        with: {
          title: '${ $call.title }',
          description: '${ $call.reason }',
          details: '${ { tool: $call.name, arguments: $call.arguments } }',
          approvers,
          deadline,
          excludeStarter: false,
        },
        export: { as: '${ $context + { permitted: .approved } }' },
      },
    },
    ...tools.map((tool) => ({
      [`use-${tool.name}`]: {
        if: `\${ $call.tool == ${JSON.stringify(tool.name)} and ${permitted} }`,
        try: [{ call: { ...effectOf(tool), output: { as: '${ { ok: . } }' } } }],
        catch: {
          as: 'error',
          do: [{ failed: { set: { failed: '${ { status: $error.status, title: $error.title, detail: $error.detail } }' } } }],
        },
        export: { as: afterCall },
      },
    })),
    {
      refused: {
        if: `\${ ${permitted} | not }`,
        set: { failed: { title: 'A person did not permit this call.' } },
        export: { as: afterCall },
      },
    },
  ]
}

function effectOf(tool: AgentTool): JsonObject {
  switch (tool.kind) {
    case 'workflow':
      return { run: { workflow: { ...tool.document, version: 'latest', input: '${ $call.arguments }' } } }
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
  if (tool.kind === 'workflow') return []
  return Object.values(tool.headers).flatMap((value) => (typeof value === 'string' ? [] : [value.secret]))
}
