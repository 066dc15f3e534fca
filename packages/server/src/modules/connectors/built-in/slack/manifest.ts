const channel = {
  in: 'body',
  required: true,
  schema: { type: 'string', minLength: 1 },
  description: 'Id of the channel, or its name with #.',
}
const text = { in: 'body', schema: { type: 'string', maxLength: 40_000 }, description: 'The message in the markup of Slack.' }
const blocks = { in: 'body', schema: { type: 'array', maxItems: 50 }, description: 'Blocks of Block Kit.' }

/** Source: https://api.slack.com/methods. Slack answers 200 to refused requests, with `ok: false`. */
export const slack = {
  connector: '1.0',
  title: 'Slack',
  servers: ['https://slack.com/api'],
  authentication: { kind: 'bearer' },
  refusal: { member: 'ok', equals: false, detail: 'error' },
  operations: [
    {
      name: 'postMessage',
      summary: 'Posts a message to a channel or person.',
      method: 'post',
      path: '/chat.postMessage',
      parameters: {
        channel,
        text: { ...text, required: true },
        blocks,
        thread_ts: { in: 'body', schema: { type: 'string' }, description: 'Timestamp of the message to answer.' },
      },
    },
    {
      name: 'updateMessage',
      summary: 'Changes a message.',
      method: 'post',
      path: '/chat.update',
      parameters: {
        channel,
        text,
        blocks,
        ts: { in: 'body', required: true, schema: { type: 'string' }, description: 'Timestamp of the message.' },
      },
    },
    {
      name: 'listChannels',
      summary: 'Lists channels.',
      method: 'get',
      path: '/conversations.list',
      parameters: {
        cursor: { in: 'query', schema: { type: 'string' } },
        limit: { in: 'query', schema: { type: 'integer', minimum: 1, maximum: 1000 } },
        types: { in: 'query', schema: { type: 'string' }, description: 'Such as public_channel,private_channel.' },
      },
    },
    {
      name: 'findUserByEmail',
      summary: 'Finds a person by mail address.',
      method: 'get',
      path: '/users.lookupByEmail',
      parameters: { email: { in: 'query', required: true, schema: { type: 'string' } } },
    },
  ],
}
