import { flag, inBody, inPath, inQuery, list, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const channel_id = inPath('Id of the channel.')

/** Source: https://discord.com/developers/docs/reference. The key of the connection is `Bot TOKEN`. */
export const discord = {
  connector: '1.0',
  title: 'Discord',
  servers: ['https://discord.com/api/v10'],
  authentication: { kind: 'apiKey', in: 'header', name: 'Authorization' },
  operations: [
    {
      name: 'sendMessage',
      summary: 'Posts a message to a channel as a bot.',
      method: 'post',
      path: '/channels/{channel_id}/messages',
      parameters: {
        channel_id,
        content: inBody(text(2_000), 'Required without embeds.'),
        embeds: inBody(list(10, record)),
        tts: inBody(flag),
        message_reference: inBody(record, 'The message to answer.'),
      },
    },
    {
      name: 'listMessages',
      summary: 'Lists messages of a channel, the newest first.',
      method: 'get',
      path: '/channels/{channel_id}/messages',
      parameters: { channel_id, limit: inQuery(whole(1, 100)), before: inQuery(text()), after: inQuery(text()) },
    },
    {
      name: 'editMessage',
      summary: 'Changes a message of the bot.',
      method: 'patch',
      path: '/channels/{channel_id}/messages/{message_id}',
      parameters: { channel_id, message_id: inPath(), content: inBody(text(2_000)), embeds: inBody(list(10, record)) },
    },
    {
      name: 'listChannels',
      summary: 'Lists the channels of a server.',
      method: 'get',
      path: '/guilds/{guild_id}/channels',
      parameters: { guild_id: inPath('Id of the server.') },
    },
    { name: 'getMe', summary: 'Reads the bot, which tests its token.', method: 'get', path: '/users/@me', parameters: {} },
  ],
}
