import { filled, inBody, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

/** Source: https://platform.openai.com/docs/api-reference. */
export const openai = {
  connector: '1.0',
  title: 'OpenAI',
  servers: ['https://api.openai.com/v1'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'createResponse',
      summary: 'Asks a model.',
      method: 'post',
      path: '/responses',
      parameters: {
        model: neededInBody(filled()),
        input: neededInBody({ type: ['string', 'array'] }),
        instructions: inBody(text(100_000)),
        max_output_tokens: inBody(whole(1, 1_000_000)),
        temperature: inBody({ type: 'number', minimum: 0, maximum: 2 }),
        tools: inBody(list(128, record)),
        text: inBody(record, 'Such as the schema of a structured answer.'),
      },
    },
    {
      name: 'createChatCompletion',
      summary: 'Continues a conversation.',
      method: 'post',
      path: '/chat/completions',
      parameters: {
        model: neededInBody(filled()),
        messages: neededInBody(list(2_000, record), 'Each with `role` and `content`.'),
        max_completion_tokens: inBody(whole(1, 1_000_000)),
        temperature: inBody({ type: 'number', minimum: 0, maximum: 2 }),
        response_format: inBody(record),
        tools: inBody(list(128, record)),
      },
    },
    {
      name: 'createEmbeddings',
      summary: 'Turns texts into vectors.',
      method: 'post',
      path: '/embeddings',
      parameters: {
        model: neededInBody(filled()),
        input: neededInBody({ type: ['string', 'array'] }),
        dimensions: inBody(whole(1, 100_000)),
      },
    },
    {
      name: 'createModeration',
      summary: 'Checks whether texts are harmful.',
      method: 'post',
      path: '/moderations',
      parameters: { model: inBody(text()), input: neededInBody({ type: ['string', 'array'] }) },
    },
    { name: 'listModels', summary: 'Lists the models.', method: 'get', path: '/models', parameters: {} },
  ],
}
