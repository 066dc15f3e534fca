import type { FunctionManifest } from '@millrace/engine'

export const manifest: FunctionManifest = {
  name: 'agent-start',
  version: '1.0.0',
  summary: 'Makes the agent run of a call of an agent; the tasks of such a call begin with it.',
  internal: true,
  performs: 'effect',
  input: {
    type: 'object',
    required: ['goal', 'tools'],
    additionalProperties: false,
    properties: {
      goal: { type: 'string', minLength: 1, maxLength: 20_000, description: 'What the agent is to achieve.' },
      data: { description: 'Data for the goal; null for none.' },
      quality: { enum: ['fast', 'strong'], description: 'Role of the model.' },
      limits: { type: 'object', description: 'Limits of steps, tokens, cost and duration.' },
      tools: {
        type: 'array',
        maxItems: 20,
        description: 'The tools as turns need them.',
        items: { type: 'object', required: ['kind', 'name', 'description', 'ask'] },
      },
    },
  },
  output: {
    type: 'object',
    required: ['runId', 'goal', 'quality', 'steps', 'tokens', 'deadlineMs', 'tools'],
  },
}
