import type { FunctionManifest } from '@millrace/engine'

const count = { type: 'integer', minimum: 0 }

export const manifest: FunctionManifest = {
  name: 'agent-turn',
  version: '1.0.0',
  summary: 'Performs one turn of the model of an agent run; the definitions of agent runs call it.',
  internal: true,
  performs: 'effect',
  input: {
    type: 'object',
    required: ['run', 'state'],
    additionalProperties: false,
    properties: {
      run: {
        type: 'object',
        description: 'The run: its goal, tools and limits.',
        required: ['runId', 'goal', 'quality', 'steps', 'tokens', 'deadlineMs', 'tools'],
        additionalProperties: false,
        properties: {
          runId: { type: 'string', pattern: '^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' },
          goal: { type: 'string', maxLength: 20_000 },
          data: {},
          quality: { enum: ['fast', 'strong'] },
          steps: { type: 'integer', minimum: 1, maximum: 50 },
          tokens: { type: 'integer', minimum: 1 },
          costMicros: { type: 'integer', minimum: 1 },
          deadlineMs: { type: 'number' },
          tools: {
            type: 'array',
            maxItems: 20,
            items: {
              type: 'object',
              required: ['kind', 'name', 'description', 'ask'],
              additionalProperties: false,
              properties: {
                kind: { enum: ['workflow', 'http', 'mcp', 'connector', 'account'] },
                name: { type: 'string' },
                description: { type: 'string' },
                ask: { type: 'boolean' },
                parameters: { type: 'object' },
                url: { type: 'string' },
                tools: { type: 'array', items: { type: 'string' } },
              },
            },
          },
        },
      },
      state: {
        type: 'object',
        description: 'What the run has collected so far: messages and totals.',
        properties: {
          messages: {
            type: 'array',
            items: { type: 'object', required: ['role'], properties: { role: { enum: ['assistant', 'tool'] } } },
          },
          turns: count,
          toolCalls: count,
          inputTokens: count,
          outputTokens: count,
          costMicros: count,
        },
      },
    },
  },
  output: {
    type: 'object',
    required: ['message', 'calls', 'refused', 'outcome', 'answer', 'usage'],
    additionalProperties: false,
    properties: {
      message: { type: 'object' },
      calls: { type: 'array', description: 'The calls of tools that the definition makes next.' },
      refused: { type: 'array', description: 'Messages for calls that are not made.' },
      outcome: {
        enum: ['answered', 'step_limit', 'token_limit', 'cost_limit', 'time_limit', null],
        description: 'Null if the run continues.',
      },
      answer: { type: ['string', 'null'] },
      usage: { type: 'object' },
      model: { type: 'string', description: 'Name of the model in the configuration; absent if none was asked.' },
      modelId: { type: 'string' },
      promptDigest: { type: 'string' },
    },
  },
}
