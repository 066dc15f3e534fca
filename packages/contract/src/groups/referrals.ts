import * as z from 'zod'
import { operation } from '#src/operation.ts'

const Code = z
  .string()
  .regex(/^[0-9A-Z]{4,20}$/, { error: 'Must be a referral code: 4 to 20 capitals and digits.' })
  .meta({ description: 'Referral code.', examples: ['K7QX2M9P'] })

const ReferralCode = z
  .object({ code: z.string(), visits: z.int(), signUps: z.int(), createdAt: z.iso.datetime() })
  .meta({ id: 'ReferralCode' })

const base = { stability: 'beta', rateLimit: 'default', errors: [] } as const
const path = '/api/v1/referrals'

const create = operation({
  ...base,
  id: 'referrals.create',
  method: 'POST',
  path,
  summary: 'Create a referral code',
  description: 'An account has at most 20 codes, for example one for each place where it is published.',
  auth: { scope: 'billing:manage' },
  audit: 'referral.created',
  idempotency: 'keyed',
  body: z.strictObject({ code: Code.optional().describe('A code of your choice; otherwise a random one.') }),
  reply: ReferralCode,
  errors: ['conflict'],
})

const me = operation({
  ...base,
  id: 'referrals.me',
  method: 'GET',
  path: `${path}/me`,
  summary: 'Read the own codes and rewards',
  auth: { scope: 'billing:read' },
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  reply: z.object({
    codes: z.array(ReferralCode),
    signUps: z.int(),
    rewarded: z.int().describe('Referred accounts that paid for a whole period, each of which earned a credit.'),
    pending: z.int().describe('Referred accounts that have paid, and whose first paid period has not ended yet.'),
    referredBy: z.string().nullable().describe('The code by which this account was referred.'),
    credits: z.array(z.object({ amount: z.int(), currency: z.string() })).describe('Earned by referrals, by currency.'),
  }),
})

const resolve = operation({
  ...base,
  id: 'referrals.resolve',
  method: 'GET',
  path: `${path}/resolve/{code}`,
  summary: 'Check a referral code',
  description: 'Public, for a sign-up page. Counts a visit of the code; the account behind it is not shown.',
  auth: 'public',
  audit: 'none',
  idempotency: 'natural',
  params: z.object({ code: z.string().meta({ description: 'Referral code.', examples: ['K7QX2M9P'] }) }),
  reply: z.object({ code: z.string(), valid: z.literal(true) }),
})

const claim = operation({
  ...base,
  id: 'referrals.claim',
  method: 'POST',
  path: `${path}/claim`,
  summary: 'Name the code by which the account was referred',
  description:
    'Once, within 30 days of the registration and before the first payment. The referrer is rewarded once, when the first paid period has ended, less what was paid back of it. The own code is refused, and so is a code of an account that was referred, directly or indirectly, by this one.',
  auth: { scope: 'billing:manage' },
  audit: 'referral.claimed',
  idempotency: 'keyed',
  transaction: 'own',
  body: z.strictObject({ code: Code }),
  reply: z.object({ code: z.string(), claimed: z.literal(true) }),
  errors: ['referral_refused', 'not_found'],
})

/** Referral codes and their rewards. */
export const referrals = { create, me, resolve, claim } as const
