import { filled, inBody, inQuery, list, neededInBody, record, whole } from '#modules/connectors/built-in/parameters.ts'

/** Source: https://docs.anthropic.com/en/api/messages. */
export const anthropic = {
  connector: '1.0',
  title: 'Anthropic',
  servers: ['https://api.anthropic.com'],
  authentication: { kind: 'apiKey', in: 'header', name: 'x-api-key' },
  headers: { 'anthropic-version': '2023-06-01' },
  operations: [
    {
      name: 'createMessage',
      summary: 'Asks a model.',
      method: 'post',
      path: '/v1/messages',
      parameters: {
        model: neededInBody(filled()),
        messages: neededInBody(list(2_000, record), 'Each with `role` and `content`.'),
        max_tokens: neededInBody(whole(1, 1_000_000)),
        system: inBody({ type: ['string', 'array'] }),
        temperature: inBody({ type: 'number', minimum: 0, maximum: 1 }),
        tools: inBody(list(128, record)),
      },
    },
    {
      name: 'listModels',
      summary: 'Lists the models.',
      method: 'get',
      path: '/v1/models',
      parameters: { limit: inQuery(whole(1, 1_000)) },
    },
  ],
}
