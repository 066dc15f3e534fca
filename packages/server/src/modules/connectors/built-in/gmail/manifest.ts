import { filled, inBody, inPath, inQuery, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

const id = inPath()

/** Source: https://developers.google.com/workspace/gmail/api. */
export const gmail = {
  connector: '1.0',
  title: 'Gmail',
  servers: ['https://gmail.googleapis.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'sendMessage',
      summary: 'Sends a mail from the mailbox of the user.',
      method: 'post',
      path: '/gmail/v1/users/me/messages/send',
      parameters: { raw: neededInBody(filled(12_582_912), 'The mail of RFC 5322 as base64url.'), threadId: inBody(text()) },
    },
    {
      name: 'listMessages',
      summary: 'Finds messages.',
      method: 'get',
      path: '/gmail/v1/users/me/messages',
      parameters: {
        q: inQuery(text(2_000), 'As in the search of Gmail.'),
        maxResults: inQuery(whole(1, 500)),
        pageToken: inQuery(text(2_000)),
      },
    },
    {
      name: 'getMessage',
      summary: 'Reads a message.',
      method: 'get',
      path: '/gmail/v1/users/me/messages/{id}',
      parameters: { id, format: inQuery({ enum: ['full', 'metadata', 'minimal', 'raw'] }) },
    },
    {
      name: 'modifyMessage',
      summary: 'Adds and removes labels, such as UNREAD.',
      method: 'post',
      path: '/gmail/v1/users/me/messages/{id}/modify',
      parameters: { id, addLabelIds: inBody(list(100, text())), removeLabelIds: inBody(list(100, text())) },
    },
    {
      name: 'createDraft',
      summary: 'Creates a draft.',
      method: 'post',
      path: '/gmail/v1/users/me/drafts',
      parameters: { message: neededInBody(record, 'With `raw`.') },
    },
  ],
}
