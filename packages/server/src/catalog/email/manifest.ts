import type { FunctionManifest } from '@millrace/engine'

/** Text that goes into a header: one line, since a line break would begin another header. */
const line = { type: 'string', pattern: '^[^\\x00-\\x08\\x0a-\\x1f\\x7f]*$' }
const address = {
  type: 'string',
  pattern: '^[^\\x00-\\x08\\x0a-\\x1f\\x7f]+@[^\\x00-\\x08\\x0a-\\x1f\\x7f]+$',
  patternErrorMessage: 'must be a mail address such as ada@example.com, and cannot be empty',
  maxLength: 500,
}
const addresses = { ...address, type: ['string', 'array'], minItems: 1, maxItems: 100, items: address }

const attachment = {
  type: 'object',
  required: ['filename'],
  oneOf: [{ required: ['content'] }, { required: ['contentBase64'] }],
  additionalProperties: false,
  properties: {
    filename: { ...line, minLength: 1, maxLength: 255, description: 'Name that the attachment has for its reader.' },
    contentType: {
      ...line,
      maxLength: 255,
      description: 'Media type, such as application/pdf. Without it the one that goes with the filename.',
    },
    content: { type: 'string', description: 'The attachment as text.' },
    contentBase64: { type: 'string', description: 'The attachment as bytes in base64.' },
  },
}

export const manifest: FunctionManifest = {
  name: 'email',
  version: '1.0.0',
  summary: 'Sends a mail through the SMTP server of the installation or of a connection.',
  performs: 'effect',
  input: {
    type: 'object',
    required: ['to', 'subject'],
    anyOf: [{ required: ['text'] }, { required: ['html'] }],
    additionalProperties: false,
    properties: {
      connection: {
        type: 'string',
        pattern: '^[a-z][a-z0-9-]{0,62}$',
        description: 'Name of a connection of the kind smtp, whose server sends the mail in place of that of the installation.',
      },
      to: { ...addresses, description: 'One address or a list: ada@example.com, or Ada Lovelace <ada@example.com>.' },
      cc: { ...addresses, description: 'Addresses that get a copy.' },
      bcc: { ...addresses, description: 'Addresses that get a copy without the others seeing it.' },
      replyTo: { ...addresses, description: 'Where answers go.' },
      from: { ...address, description: 'The sender, of a domain that the installation allows.' },
      subject: { ...line, maxLength: 900, description: 'One line.' },
      text: { type: 'string', description: 'The mail as plain text.' },
      html: { type: 'string', description: 'The mail as HTML.' },
      attachments: { type: 'array', maxItems: 50, items: attachment, description: 'Files that go with the mail.' },
      headers: {
        type: 'object',
        maxProperties: 50,
        propertyNames: { pattern: '^[A-Za-z][A-Za-z0-9-]{0,75}$' },
        additionalProperties: { ...line, maxLength: 2000 },
        description: 'More headers, such as In-Reply-To or List-Unsubscribe.',
      },
    },
  },
  output: {
    type: 'object',
    required: ['messageId', 'accepted', 'rejected'],
    additionalProperties: false,
    properties: {
      messageId: { type: 'string', description: 'The Message-ID; the same however often the call is repeated by a recovery.' },
      accepted: { type: 'array', items: { type: 'string' }, description: 'Addresses that the server took.' },
      rejected: {
        type: 'array',
        items: {
          type: 'object',
          required: ['address', 'reason'],
          additionalProperties: false,
          properties: { address: { type: 'string' }, reason: { type: 'string' } },
        },
        description: 'Addresses that the server refused, with its words.',
      },
    },
  },
}
