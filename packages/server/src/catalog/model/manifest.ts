import type { FunctionManifest } from '@millrace/engine'

export const manifest: FunctionManifest = {
  name: 'model',
  version: '1.0.0',
  summary: 'Asks a configured language model for a text, or for JSON that follows a schema.',
  performs: 'effect',
  input: {
    type: 'object',
    required: ['prompt'],
    additionalProperties: false,
    properties: {
      prompt: { type: 'string', minLength: 1, maxLength: 200_000, description: 'What the model is asked.' },
      system: { type: 'string', maxLength: 50_000, description: 'Instructions that come before the conversation.' },
      data: { description: 'Data for the prompt: any JSON. It is marked as data, so that text in it is no instruction.' },
      messages: {
        type: 'array',
        maxItems: 100,
        description: 'The conversation before the prompt, oldest first.',
        items: {
          type: 'object',
          required: ['role', 'text'],
          additionalProperties: false,
          properties: { role: { enum: ['user', 'assistant'] }, text: { type: 'string', maxLength: 200_000 } },
        },
      },
      schema: {
        type: 'object',
        format: 'json-schema',
        description:
          'JSON Schema of an object that the model returns as data, such as properties: { category: { enum: [damaged, late] } }.',
      },
      role: { enum: ['fast', 'strong'], description: 'Role of the model. Fast unless given.' },
      maxTokens: { type: 'integer', minimum: 1, maximum: 1_000_000, description: 'Most tokens of the result.' },
      temperature: { type: 'number', minimum: 0, maximum: 2, description: 'How much results vary.' },
    },
  },
  output: {
    type: 'object',
    required: ['text', 'data', 'finish', 'model', 'modelId', 'promptDigest', 'usage'],
    additionalProperties: false,
    properties: {
      text: { type: 'string' },
      data: { description: 'The parsed result with a schema; null without one.' },
      finish: { enum: ['stop', 'length', 'tools', 'refused', 'other'] },
      model: { type: 'string', description: 'Name of the model in the configuration.' },
      modelId: { type: 'string', description: 'Id of the model at its endpoint.' },
      promptDigest: { type: 'string', description: 'SHA-256 of what was sent: messages, tools and schema.' },
      usage: {
        type: 'object',
        required: ['inputTokens', 'outputTokens'],
        additionalProperties: false,
        properties: { inputTokens: { type: 'integer' }, outputTokens: { type: 'integer' } },
      },
    },
  },
}
