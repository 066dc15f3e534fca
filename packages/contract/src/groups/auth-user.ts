import * as z from 'zod'
import { JsonObject } from '#src/json.ts'
import { operation } from '#src/operation.ts'
import { Me } from './auth.ts'
import { Password } from './auth-schemas.ts'

const updateMe = operation({
  id: 'auth.updateMe',
  auditors: true,
  method: 'PATCH',
  path: '/api/v1/auth/me',
  summary: 'Change the own profile',
  description:
    'Changes the members that are given; null removes one. `preferences` are free for programs such as the web pages: its given members replace those of the same name, null removes one, and all together have at most 16 KiB as JSON.',
  stability: 'beta',
  auth: { scope: 'account:security' },
  rateLimit: 'default',
  audit: 'user.changed',
  idempotency: 'natural',
  body: z.strictObject({
    name: z.string().trim().min(1).max(200).nullable().optional(),
    locale: z
      .string()
      .min(2)
      .max(35)
      .nullable()
      .optional()
      .describe('Language tag (BCP 47).')
      .meta({ examples: ['ar-SA'] }),
    zone: z
      .string()
      .min(1)
      .max(64)
      .nullable()
      .optional()
      .describe('Name in the IANA time zone database.')
      .meta({ examples: ['Asia/Riyadh'] }),
    preferences: JsonObject.optional(),
  }),
  reply: Me,
  errors: [],
})

const passwordChange = operation({
  id: 'auth.passwordChange',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/password/change',
  summary: 'Change the own password',
  description:
    'Sets a new password by the current one, ends all other sessions, and informs the user by mail. A wrong current password counts as a failed sign-in.',
  stability: 'beta',
  auth: { scope: 'account:security' },
  transaction: 'own',
  rateLimit: 'auth',
  audit: 'user.password_changed',
  idempotency: 'keyed',
  body: z.strictObject({ currentPassword: Password, password: Password }),
  reply: z.object({ changed: z.literal(true), sessionsEnded: z.int() }),
  errors: ['invalid_credentials', 'password_unacceptable', 'conflict', 'overloaded'],
})

/** What a signed-in user changes about themselves. */
export const authUser = { updateMe, passwordChange } as const
