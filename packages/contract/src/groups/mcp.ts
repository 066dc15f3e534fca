import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { JsonValue } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { ConnectionName, FunctionName } from './connection-schemas.ts'

const Text = z.string().trim().min(1).max(20_000)

const chat = operation({
  id: 'mcp.chat',
  method: 'POST',
  path: '/mcp/chat',
  summary: 'Talk to a model that has the published workflows as tools',
  description:
    'Needs the consent of the account to transfers outside the region (403 `consent_required`; see `account/consents/cross-border`), because the message goes to a configured model. The model chooses among the published workflows, at most 50, by their input schemas. A chosen tool is not run: it becomes a proposal of the assistant, which you confirm by `assistant/agent/confirm`. Nothing is kept of the conversation; send `history` to continue it.',
  stability: 'beta',
  auth: { scope: 'assistant:use' },
  rateLimit: 'execution',
  consent: 'cross-border',
  audit: 'mcp.chatted',
  idempotency: 'keyed',
  transaction: 'own',
  body: z.strictObject({
    message: Text,
    history: z
      .array(z.strictObject({ role: z.enum(['user', 'assistant']), text: Text }))
      .max(30)
      .default([])
      .describe('Earlier messages, oldest first.'),
  }),
  reply: z.object({
    text: z.string(),
    tools: z.array(z.string()).describe('Tools that the model could choose.'),
    proposals: z.array(
      z.object({
        id: typeId('prop'),
        tool: z.string(),
        workflowId: typeId('wf'),
        input: JsonValue,
        digest: z.string().describe('To be repeated by the confirmation.'),
        expiresAt: z.iso.datetime(),
      }),
    ),
  }),
  errors: ['not_found', 'model_not_configured', 'model_unavailable', 'quota_exceeded', 'conflict'],
})

const ConnectorTool = z
  .object({
    name: FunctionName,
    summary: z.string(),
    connection: z.string().nullable().describe('With whose credentials it is called; clients cannot choose another.'),
    permission: z
      .enum(['ask', 'allow'])
      .describe('`ask`: each call becomes a proposal that the user of the client confirms. `allow`: it is made at once.'),
    updatedAt: z.iso.datetime(),
    updatedBy: z.string().describe('As `kind:id`.'),
  })
  .meta({ id: 'McpConnectorTool' })

const tools = operation({
  id: 'mcp.tools',
  method: 'GET',
  path: '/api/v1/mcp/tools',
  summary: 'List the functions of connectors that MCP clients have',
  description:
    'At most 50. A function that is not in the list is not offered. Published workflows are tools as well; they are not in this list.',
  stability: 'beta',
  auth: { scope: 'connectors:read' },
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.object({ data: z.array(ConnectorTool).describe('By name.') }),
  errors: [],
})

const offerTool = operation({
  id: 'mcp.offerTool',
  method: 'PUT',
  path: '/api/v1/mcp/tools/{name}',
  summary: 'Offer a function of a connector to MCP clients',
  description:
    'Every client of the account at `/mcp` gets the function as a tool, with the input schema that it has now and without the argument `connection`. A call is an execution, with the policies and quotas of executions. A repetition changes the connection or the permission. A change of what a call does ends the proposals that wait.',
  stability: 'beta',
  auth: { scope: 'connectors:write' },
  role: 'owner',
  rateLimit: 'default',
  audit: 'mcp.tool_offered',
  idempotency: 'natural',
  params: z.object({ name: FunctionName }),
  body: z.strictObject({
    permission: ConnectorTool.shape.permission,
    connection: ConnectionName.optional().describe('Name of a connection of the account; needed where the function needs credentials.'),
  }),
  reply: ConnectorTool,
  errors: ['conflict', 'workflow_invalid'],
})

const withdrawTool = operation({
  id: 'mcp.withdrawTool',
  method: 'DELETE',
  path: '/api/v1/mcp/tools/{name}',
  summary: 'Withdraw a function of a connector from MCP clients',
  description: 'Clients no longer have the tool, and proposals that wait can no longer be confirmed. Calls that run are completed.',
  stability: 'beta',
  auth: { scope: 'connectors:write' },
  role: 'owner',
  rateLimit: 'default',
  audit: 'mcp.tool_withdrawn',
  idempotency: 'natural',
  params: z.object({ name: FunctionName }),
  reply: z.object({ name: FunctionName, withdrawn: z.literal(true) }),
  errors: [],
})

/** Workflows and functions of connectors as tools of models. */
export const mcp = { chat, tools, offerTool, withdrawTool } as const
