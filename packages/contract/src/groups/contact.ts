import * as z from 'zod'
import { operation } from '#src/operation.ts'
import { formBase, formLine, formMembers, formNote, formText, person } from './lead-schemas.ts'

const send = operation({
  ...formBase,
  id: 'contact.send',
  method: 'POST',
  path: '/api/v1/contact',
  summary: 'Write to the people who run this installation',
  description: formNote,
  body: z.strictObject({
    ...person,
    topic: z.enum(['general', 'support', 'sales', 'press', 'privacy', 'security']).default('general').describe('What it is about.'),
    subject: formLine(200).optional().describe('One line.'),
    message: formText(5000).meta({ description: 'The message.', examples: ['Can Millrace run in our own data centre?'] }),
    ...formMembers,
  }),
  errors: ['proof_required'],
})

/** The public contact form. */
export const contact = { send } as const
