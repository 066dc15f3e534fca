import { filled, inBody, inPath, neededInBody, record } from '#modules/connectors/built-in/parameters.ts'

/** Source: https://developers.facebook.com/docs/whatsapp/cloud-api. */
export const whatsapp = {
  connector: '1.0',
  title: 'WhatsApp',
  servers: ['https://graph.facebook.com/v21.0'],
  authentication: { kind: 'bearer' },
  operations: [
    {
      name: 'sendMessage',
      summary: 'Sends a message to a person.',
      method: 'post',
      path: '/{phoneNumberId}/messages',
      parameters: {
        phoneNumberId: inPath('Id of the number that sends.'),
        messaging_product: neededInBody({ const: 'whatsapp' }),
        to: neededInBody(filled(30)),
        type: neededInBody({ enum: ['text', 'template', 'image', 'document', 'interactive'] }),
        text: inBody(record, 'With `body`.'),
        template: inBody(record, 'With `name` and `language`.'),
        image: inBody(record),
        document: inBody(record),
        interactive: inBody(record),
      },
    },
  ],
}
