import { filled, inBody, inPath, inQuery, neededInBody, text, whole } from '#modules/connectors/built-in/parameters.ts'

const AccountSid = inPath('Begins with AC.')

/** Source: https://www.twilio.com/docs/messaging/api. The user name is the account SID and the password the auth token. */
export const twilio = {
  connector: '1.0',
  title: 'Twilio',
  servers: ['https://api.twilio.com'],
  authentication: { kind: 'basic' },
  operations: [
    {
      name: 'sendMessage',
      summary: 'Sends a text message, or one of WhatsApp.',
      method: 'post',
      path: '/2010-04-01/Accounts/{AccountSid}/Messages.json',
      encoding: 'form',
      parameters: {
        AccountSid,
        To: neededInBody(filled(100), 'Such as +4915112345678, or whatsapp:+4915112345678.'),
        From: inBody(text(100)),
        MessagingServiceSid: inBody(text(100)),
        Body: inBody(text(1_600)),
        MediaUrl: inBody(text(2_000)),
      },
    },
    {
      name: 'getMessage',
      summary: 'Reads a message and its state.',
      method: 'get',
      path: '/2010-04-01/Accounts/{AccountSid}/Messages/{Sid}.json',
      parameters: { AccountSid, Sid: inPath() },
    },
    {
      name: 'listMessages',
      summary: 'Lists messages.',
      method: 'get',
      path: '/2010-04-01/Accounts/{AccountSid}/Messages.json',
      parameters: { AccountSid, To: inQuery(text(100)), From: inQuery(text(100)), PageSize: inQuery(whole(1, 1_000)) },
    },
  ],
}
