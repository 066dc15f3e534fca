const chat_id = {
  in: 'body',
  required: true,
  schema: { type: ['string', 'integer'] },
  description: 'Id of the chat, or @name of a channel.',
}

/** Source: https://core.telegram.org/bots/api. The token of the bot is a part of the path: `in: path`, `keyName: bot`. */
export const telegram = {
  connector: '1.0',
  title: 'Telegram',
  servers: ['https://api.telegram.org'],
  authentication: { kind: 'apiKey', in: 'path', name: 'bot' },
  refusal: { member: 'ok', equals: false, detail: 'description' },
  operations: [
    {
      name: 'sendMessage',
      summary: 'Sends a message as a bot.',
      method: 'post',
      path: '/sendMessage',
      parameters: {
        chat_id,
        text: { in: 'body', required: true, schema: { type: 'string', minLength: 1, maxLength: 4096 } },
        parse_mode: { in: 'body', schema: { enum: ['MarkdownV2', 'HTML'] } },
        disable_notification: { in: 'body', schema: { type: 'boolean' } },
        reply_markup: { in: 'body', schema: { type: 'object' } },
      },
    },
    {
      name: 'sendDocument',
      summary: 'Sends a file that is at an address.',
      method: 'post',
      path: '/sendDocument',
      parameters: {
        chat_id,
        document: { in: 'body', required: true, schema: { type: 'string' }, description: 'Address or file_id.' },
        caption: { in: 'body', schema: { type: 'string', maxLength: 1024 } },
      },
    },
    { name: 'getMe', summary: 'Reads the bot, which tests its token.', method: 'get', path: '/getMe', parameters: {} },
  ],
}
