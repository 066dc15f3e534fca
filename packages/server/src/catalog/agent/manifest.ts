import { accountOperations } from '@millrace/contract/account-operations'
import { decidingRoles } from '@millrace/contract/roles'
import { toolNamePattern, toolNameWords } from '@millrace/contract/tool-names'
import type { FunctionManifest } from '@millrace/engine'
import { functionName } from '#catalog/function-name.ts'

const text = { type: 'string', minLength: 1, maxLength: 2000 }
const name = { type: 'string', pattern: toolNamePattern.source, patternErrorMessage: `must ${toolNameWords}` }
const document = { type: 'string', pattern: '^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$' }
const duration = { type: 'string', minLength: 3, maxLength: 60, pattern: '^P' }
const line = { type: 'string', maxLength: 2000, pattern: '^[^\\x00-\\x1f\\x7f]*$' }
const schema = { type: 'object' }
const header = {
  anyOf: [
    line,
    {
      type: 'object',
      required: ['secret'],
      additionalProperties: false,
      properties: { secret: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,127}$' }, prefix: { ...line, maxLength: 100 } },
    },
  ],
}
const tool = {
  type: 'object',
  required: ['kind', 'name'],
  additionalProperties: false,
  properties: {
    kind: { enum: ['http', 'workflow', 'mcp', 'connector', 'account'], description: 'What the tool does.' },
    name: { ...name, description: 'By which the model calls the tool; the prefix of the tools of an MCP server and of operations.' },
    description: { ...text, description: 'What the model reads about the tool.' },
    risk: {
      enum: ['safe', 'ask'],
      description: 'Whether a person must approve each call. Unless given, only GET and operations are safe.',
    },
    url: {
      type: 'string',
      maxLength: 2000,
      pattern: '^https?://[^\\s/{}?#@]+(/[^\\s?#]*)?$',
      description: 'The only address of the tool; names in braces in its path are arguments of the model.',
    },
    method: { enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], description: 'GET unless given.' },
    headers: {
      type: 'object',
      maxProperties: 20,
      propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9-]{0,75}$' },
      additionalProperties: header,
      description: 'Headers; { secret, prefix } inserts a secret, which the model never sees.',
    },
    query: { ...schema, description: 'JSON Schema of the parameters of the query.' },
    body: { ...schema, description: 'JSON Schema of the body.' },
    namespace: { ...document, description: 'Namespace of the workflow.' },
    workflow: { ...document, description: 'Name of the workflow in its document; its input schema describes the arguments.' },
    function: { ...functionName, description: 'Full name of the function of a connector; its input schema describes the arguments.' },
    connection: { type: 'string', pattern: '^[a-z][a-z0-9-]{0,62}$', description: 'With which the function is called.' },
    operations: {
      type: 'array',
      minItems: 1,
      uniqueItems: true,
      items: { enum: [...accountOperations] },
      description: 'What a tool of the kind account may read.',
    },
    tools: { type: 'array', minItems: 1, maxItems: 50, items: { type: 'string', minLength: 1, maxLength: 128 } },
  },
}
const role = {
  type: 'object',
  required: ['role'],
  additionalProperties: false,
  properties: { role: { enum: decidingRoles } },
}
const count = { type: 'integer', minimum: 0 }

export const manifest: FunctionManifest = {
  name: 'agent',
  version: '1.0.0',
  summary: 'Lets a language model work towards a goal with tools; every turn and every call is a task.',
  performs: 'effect',
  input: {
    type: 'object',
    required: ['goal'],
    additionalProperties: false,
    properties: {
      goal: { type: 'string', minLength: 1, maxLength: 20_000, description: 'What the agent is to achieve.' },
      data: { description: 'Data for the goal: any JSON. The model sees it as data, not as instructions.' },
      quality: { enum: ['fast', 'strong'], description: 'Role of the model. Strong unless given.' },
      tools: { type: 'array', maxItems: 20, items: tool, description: 'The tools that the agent may use, and no others.' },
      limits: {
        type: 'object',
        additionalProperties: false,
        description: 'When the agent has to end.',
        properties: {
          steps: { type: 'integer', minimum: 1, maximum: 50, description: 'Turns of the model. 10 unless given.' },
          tokens: { type: 'integer', minimum: 100, maximum: 5_000_000, description: 'Tokens. 200,000 unless given.' },
          cost: {
            type: 'number',
            exclusiveMinimum: 0,
            maximum: 1_000_000,
            description: 'Money, in the currency of the prices of the models.',
          },
          duration: { ...duration, description: 'After which no further turn begins. PT1H unless given; at most P7D.' },
        },
      },
      approval: {
        type: 'object',
        additionalProperties: false,
        description: 'Who approves calls with the risk ask.',
        properties: {
          policy: { enum: ['risky', 'always'], description: 'Which calls ask: those with the risk ask, or all.' },
          approvers: {
            type: 'array',
            minItems: 1,
            maxItems: 20,
            items: { anyOf: [{ type: 'string', minLength: 3, maxLength: 320 }, role] },
            description: 'Mail addresses, ids of users, roles. The admins unless given.',
          },
          deadline: { ...duration, description: 'After which a call without a decision is rejected. P1D unless given.' },
        },
      },
    },
  },
  output: {
    type: 'object',
    required: ['outcome', 'answer', 'turns', 'toolCalls', 'inputTokens', 'outputTokens', 'cost'],
    additionalProperties: false,
    properties: {
      outcome: { enum: ['answered', 'step_limit', 'token_limit', 'cost_limit', 'time_limit'] },
      answer: { type: ['string', 'null'] },
      turns: count,
      toolCalls: count,
      inputTokens: count,
      outputTokens: count,
      cost: { type: 'number', minimum: 0 },
    },
  },
}
