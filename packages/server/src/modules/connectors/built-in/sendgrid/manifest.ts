import { inBody, list, neededInBody, record, text } from '#modules/connectors/built-in/parameters.ts'

/** Source: https://www.twilio.com/docs/sendgrid/api-reference. */
export const sendgrid = {
  connector: '1.0',
  title: 'SendGrid',
  servers: ['https://api.sendgrid.com'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'sendMail',
      summary: 'Sends a mail, also by a template.',
      method: 'post',
      path: '/v3/mail/send',
      parameters: {
        personalizations: neededInBody(list(1_000, record), 'Each with `to`.'),
        from: neededInBody(record, 'With `email`.'),
        subject: inBody(text(998)),
        content: inBody(list(10, record), 'Each with `type` and `value`.'),
        template_id: inBody(text()),
        reply_to: inBody(record),
        attachments: inBody(list(100, record)),
        categories: inBody(list(10, text())),
      },
    },
    {
      name: 'addContacts',
      summary: 'Adds or changes contacts.',
      method: 'put',
      path: '/v3/marketing/contacts',
      parameters: { contacts: neededInBody(list(30_000, record), 'Each with `email`.'), list_ids: inBody(list(100, text())) },
    },
  ],
}
