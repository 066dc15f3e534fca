import * as z from 'zod'

// Joiners are letters of some languages' spelling, not a mistake of this class. XML has no U+FFFE and U+FFFF.
// oxlint-disable-next-line eslint/no-misleading-character-class
const control = /[[\p{Cc}\p{Cf}\ufffe\uffff]--[\n\t\u200c\u200d\u200e\u200f]]/v

/** A text of one line that a person typed into a form. */
export function formLine(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !/\n/.test(text) && !control.test(text), { error: 'Must be one line without control characters.' })
}

export function formText(max: number) {
  return z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((text) => !control.test(text), { error: 'Must not contain control characters.' })
}

export const FormEmail = z
  .email({ error: 'Must be a mail address.' })
  .max(254)
  .meta({ description: 'Where the response goes.', examples: ['sara@example.com'] })

export const Proof = z
  .strictObject({
    challenge: z.string().min(1).max(400).describe('The `challenge` that was issued.'),
    nonce: z.string().min(1).max(64).describe('A text for which SHA-256 of `challenge:nonce` begins with the required zero bits.'),
  })
  .meta({ description: 'The proof of work. Callers without a credential send it; see `GET /api/v1/leads/challenge`.' })

/** Members of every public form. */
export const formMembers = {
  locale: z.enum(['en', 'ar']).optional().describe('Language of the sender; `Accept-Language` unless given.'),
  consent: z
    .literal(true, { error: 'Must be true: without consent nothing is stored.' })
    .describe('The sender agrees that the data is stored and used to respond.'),
  website: z.string().max(200).optional().describe('A trap for programs: leave it out. What fills it in is not stored.'),
  proof: Proof.optional(),
} as const

export const person = {
  name: formLine(200).meta({ description: 'Name of the sender.', examples: ['Sara Haddad'] }),
  email: FormEmail,
  company: formLine(200).optional().describe('Company of the sender.'),
  phone: formLine(40)
    .regex(/^[+\d][\d\s().\-/]{4,38}$/, { error: 'Must be a telephone number.' })
    .optional()
    .describe('Telephone number, international form preferred.'),
} as const

/** The response to every public form. It is the same for a new and for a repeated request. */
export const FormReceived = z
  .object({ received: z.literal(true), detail: z.string().describe('What happens next, in the language of the sender.') })
  .meta({ id: 'FormReceived' })

export const formBase = {
  stability: 'beta',
  auth: 'public',
  optionalCredential: true,
  rateLimit: 'auth',
  audit: 'none',
  idempotency: 'keyed',
  reply: FormReceived,
} as const

export const formNote =
  'Without a credential the request needs a proof of work: solve a challenge of `GET /api/v1/leads/challenge`, or the one in the response with the code `proof_required`. A challenge is used once. The same sender is folded into one lead for a day.'
