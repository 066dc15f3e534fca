import * as z from 'zod'
import { operation } from '#src/operation.ts'

const restoreMe = operation({
  id: 'auth.restoreMe',
  method: 'POST',
  path: '/api/v1/auth/me/restore',
  summary: 'Restore a deleted account',
  description:
    'Undoes `DELETE /api/v1/auth/me` of the only user of an account, by the token of the mail about the deletion, until `restorableUntil` of its reply. The account has its workflows, triggers, connections and data again, and its schedules and webhooks start them. The user signs in as before: sessions and API keys that have ended do not return, and cancelled executions stay cancelled. A token works once. Opening the link alone changes nothing. It is refused while another user has the address.',
  stability: 'beta',
  auth: 'public',
  rateLimit: 'auth',
  audit: 'account.restored',
  idempotency: 'keyed',
  body: z.strictObject({
    token: z
      .string()
      .min(1)
      .max(200)
      .describe('The part of the link in the mail after `#token=`.')
      .meta({ examples: ['mll_2x4y6z'] }),
  }),
  reply: z.object({ restored: z.literal(true), email: z.string() }),
  errors: ['link_invalid', 'email_taken'],
})

/** What undoes the deletion of an account. */
export const authRestore = { restoreMe } as const
