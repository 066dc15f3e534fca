import { filled, flag, inBody, inPath, inQuery, list, neededInBody, record, text, whole } from '#modules/connectors/built-in/parameters.ts'

/** Source: https://learn.microsoft.com/graph/api/overview. */
export const microsoft365 = {
  connector: '1.0',
  title: 'Microsoft 365',
  servers: ['https://graph.microsoft.com/v1.0'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'sendTeamsMessage',
      summary: 'Posts a message to a channel of Teams.',
      method: 'post',
      path: '/teams/{teamId}/channels/{channelId}/messages',
      parameters: { teamId: inPath(), channelId: inPath(), body: neededInBody(record, 'With `content`, and `contentType` text or html.') },
    },
    {
      name: 'sendMail',
      summary: 'Sends a mail from the mailbox of the user.',
      method: 'post',
      path: '/me/sendMail',
      parameters: { message: neededInBody(record, 'With `subject`, `body` and `toRecipients`.'), saveToSentItems: inBody(flag) },
    },
    {
      name: 'listMessages',
      summary: 'Lists mails.',
      method: 'get',
      path: '/me/messages',
      parameters: {
        $search: inQuery(text(1_000)),
        $filter: inQuery(text(1_000)),
        $select: inQuery(text(1_000)),
        $top: inQuery(whole(1, 1_000)),
      },
    },
    {
      name: 'createEvent',
      summary: 'Creates an event in the calendar.',
      method: 'post',
      path: '/me/events',
      parameters: {
        subject: neededInBody(filled(255)),
        start: neededInBody(record, 'With `dateTime` and `timeZone`.'),
        end: neededInBody(record),
        body: inBody(record),
        attendees: inBody(list(500, record)),
        isOnlineMeeting: inBody(flag),
      },
    },
    {
      name: 'addExcelRows',
      summary: 'Adds rows to a table of a workbook in OneDrive.',
      method: 'post',
      path: '/me/drive/items/{itemId}/workbook/tables/{table}/rows',
      parameters: { itemId: inPath(), table: inPath(), values: neededInBody(list(10_000, list(1_000)), 'Rows, each a list of cells.') },
    },
  ],
}
