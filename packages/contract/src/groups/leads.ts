import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { FormEmail, formBase, formLine, formMembers, formNote, formText, person } from './lead-schemas.ts'

const Kind = z.enum(['contact', 'sales', 'demo', 'newsletter'])
const State = z.enum(['received', 'pending', 'confirmed', 'unsubscribed'])

const Lead = z
  .object({
    id: typeId('lead'),
    kind: Kind.describe('The form: `contact` of `/contact`, `sales` of `/leads/contact`, `demo`, `newsletter`.'),
    state: State.describe('`received`; of a newsletter `pending` until the link in the mail is used, `confirmed`, `unsubscribed`.'),
    email: z.string(),
    name: z.string().nullable(),
    company: z.string().nullable(),
    phone: z.string().nullable(),
    locale: z.enum(['en', 'ar']),
    details: z.record(z.string(), z.string()).describe('The other members of the form, as they were first sent.'),
    messages: z.array(z.object({ at: z.iso.datetime(), text: z.string() })).describe('The different messages, oldest first; at most 10.'),
    submissions: z.int().describe('How often the form was sent within a day.'),
    consent: z
      .object({ at: z.iso.datetime(), text: z.string(), ip: z.string(), userAgent: z.string().nullable() })
      .describe('What the sender agreed to, when and from where.'),
    confirmedAt: z.iso.datetime().nullable(),
    unsubscribedAt: z.iso.datetime().nullable(),
    unsubscribeUrl: z
      .string()
      .nullable()
      .describe('Of a newsletter: for `List-Unsubscribe`, with `List-Unsubscribe-Post: List-Unsubscribe=One-Click`.'),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Lead' })

const filters = { kind: Kind.optional(), state: State.optional() } as const

const contactSales = operation({
  ...formBase,
  id: 'leads.contact',
  method: 'POST',
  path: '/api/v1/leads/contact',
  summary: 'Ask the sales team',
  description: formNote,
  body: z.strictObject({
    ...person,
    message: formText(5000).meta({ description: 'The question.', examples: ['Which plan fits 40 people?'] }),
    ...formMembers,
  }),
  errors: ['proof_required'],
})

const demo = operation({
  ...formBase,
  id: 'leads.demo',
  method: 'POST',
  path: '/api/v1/leads/demo',
  summary: 'Ask for a demonstration',
  description: formNote,
  body: z.strictObject({
    ...person,
    teamSize: z.enum(['1-9', '10-49', '50-249', '250+']).optional().describe('People in the company.'),
    useCase: formText(2000)
      .optional()
      .meta({ description: 'What is to be automated.', examples: ['Approval of purchase orders'] }),
    preferredTime: formLine(200).optional().describe('When a meeting fits, with the time zone.'),
    ...formMembers,
  }),
  errors: ['proof_required'],
})

const newsletter = operation({
  ...formBase,
  id: 'leads.newsletter',
  method: 'POST',
  path: '/api/v1/leads/newsletter',
  summary: 'Subscribe to the newsletter',
  description: `Sends a mail with a link that confirms the subscription; without it the address is deleted after 7 days. The response is the same whether or not the address is subscribed. ${formNote}`,
  body: z.strictObject({ email: FormEmail, ...formMembers }),
  errors: ['proof_required', 'mail_unavailable'],
})

const challenge = operation({
  stability: 'beta',
  id: 'leads.challenge',
  method: 'GET',
  path: '/api/v1/leads/challenge',
  summary: 'Get a challenge for a public form',
  description:
    'Find a `nonce` for which the SHA-256 digest of the text `challenge:nonce` begins with `bits` zero bits, for example by counting from 0, and send both as `proof`. It takes a browser well under a second.',
  auth: 'public',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'none',
  reply: z.object({
    challenge: z.string(),
    algorithm: z.literal('SHA-256'),
    bits: z.int().describe('Required zero bits; 0 if this installation asks for no proof.'),
    expiresAt: z.iso.datetime(),
  }),
  errors: [],
})

const operatorBase = {
  stability: 'beta',
  auth: { scope: 'leads:read' },
  role: 'operator',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  errors: [],
} as const

const list = operation({
  ...operatorBase,
  id: 'leads.list',
  method: 'GET',
  path: '/api/v1/leads',
  summary: 'List the leads',
  query: z.strictObject({ ...listQuery, ...filters }),
  reply: listPage(Lead),
})

const exportLeads = operation({
  ...operatorBase,
  id: 'leads.export',
  method: 'GET',
  path: '/api/v1/leads/export',
  summary: 'Export the leads as CSV',
  description: 'The newest 5,000 of a filter. Cells that a spreadsheet would read as a formula begin with an apostrophe.',
  query: z.strictObject(filters),
  reply: z.object({ fileName: z.string(), mediaType: z.literal('text/csv'), rows: z.int(), content: z.string() }),
})

/** Public forms of people who are interested, and their list for operators. */
export const leads = { contact: contactSales, demo, newsletter, challenge, list, export: exportLeads } as const
