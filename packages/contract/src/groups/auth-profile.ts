import * as z from 'zod'
import { operation } from '#src/operation.ts'

const methods = operation({
  id: 'auth.methods',
  method: 'GET',
  path: '/api/v1/auth/methods',
  summary: 'List the ways to sign in',
  description: 'What this installation offers to everyone. It reveals nothing about a user.',
  stability: 'stable',
  auth: 'public',
  transaction: 'none',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  reply: z.object({
    password: z.boolean(),
    registration: z.enum(['open', 'invite', 'closed']).describe('Who may become a user: everyone, people with an invitation, or no one.'),
    hasUsers: z.boolean().describe('Whether anyone has registered; pages offer registration first on an installation without users.'),
    keepsMails: z
      .boolean()
      .describe('Whether mails are kept in the outbox of development (`/dev/outbox`) and not sent, because no mail server is configured.'),
    passwordReset: z.boolean().describe('Whether `/api/v1/auth/password/forgot` exists.'),
    magicLink: z.boolean(),
    phone: z.boolean().describe('Whether a code by text message can sign in.'),
    passkey: z.boolean().describe('Whether a passkey can sign in at this address of the installation.'),
    providers: z
      .array(z.object({ id: z.string(), name: z.string(), url: z.string().describe('Where the browser goes.') }))
      .describe('Sign-in by another provider.'),
    deletionGraceDays: z.int().describe('For how many days a deleted account can be restored by the link in a mail; 0 for not at all.'),
    secondFactors: z.array(z.enum(['totp', 'phone', 'recovery_code', 'passkey'])),
  }),
  errors: [],
})

/** What a person needs to know before signing in. */
export const authProfile = { methods } as const
