import * as z from 'zod'
import { operation } from '#src/operation.ts'

const Cost = z
  .number()
  .min(0.01)
  .max(1_000_000_000)
  .nullable()
  .describe('Most that calls may cost, in the currency of the prices; null: no limit. Calls of models without prices cost nothing.')
const Tokens = z
  .int()
  .min(1)
  .max(1_000_000_000_000)
  .nullable()
  .describe('Most tokens, sent and returned, also of models without prices; null: no limit.')
const limit = { cost: Cost, tokens: Tokens } as const
const WarnPercent = z.int().min(1).max(99).describe('Percent of a limit at which the administrators are notified, once in a period.')

const used = z.object({ cost: z.number(), tokens: z.int() })
const period = {
  ...limit,
  used: used.describe('By all models that the account uses, its own and those of the installation.'),
  resetsAt: z.iso.datetime().describe('The count begins again then: periods are those of UTC.'),
} as const

const ModelLimits = z
  .object({
    warnPercent: WarnPercent,
    currency: z.string().nullable().describe('Currency of the prices by the model settings (ISO 4217); null if the account does not say.'),
    month: z.object({
      ...period,
      forecast: used.nullable().describe('What the month will have used if it continues as it was; null on its first day.'),
    }),
    day: z.object(period),
    unpriced: z
      .array(z.string())
      .describe('Models that the account may use and that have no prices: limits of cost do not count their calls.'),
  })
  .meta({ id: 'ModelLimits', description: 'What models of the account may use, and what they have used.' })

const base = {
  stability: 'beta',
  path: '/api/v1/model-limits',
  role: 'admin',
  rateLimit: 'default',
  errors: [],
  reply: ModelLimits,
} as const

const get = operation({
  ...base,
  id: 'modelLimits.get',
  method: 'GET',
  summary: 'Read the limits of the account for models, and what is used of them',
  auth: { scope: 'models:read' },
  audit: 'none',
  idempotency: 'natural',
})

const update = operation({
  ...base,
  id: 'modelLimits.update',
  method: 'PUT',
  summary: 'Limit what models of the account may use in a month and in a day',
  description:
    'Replaces all limits. Calls that begin when a limit is reached are refused with `quota_exceeded` until the period ends or the limit is raised; a call that has begun is completed. Limits of the operator and of the plan apply beside them.',
  auth: { scope: 'models:write' },
  audit: 'model.limits_updated',
  idempotency: 'natural',
  body: z.strictObject({
    month: z.strictObject(limit).default({ cost: null, tokens: null }).describe('Limits of a calendar month.'),
    day: z.strictObject(limit).default({ cost: null, tokens: null }).describe('Limits of a day.'),
    warnPercent: WarnPercent.default(80),
  }),
})

/** Limits that administrators of an account set for what its models cost. */
export const modelLimits = { get, update } as const
