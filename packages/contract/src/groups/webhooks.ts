import * as z from 'zod'
import { alias, operation } from '#src/operation.ts'

const Received = z.object({
  received: z.literal(true),
  duplicate: z.boolean().describe('Whether this notification had been stored before.'),
})

const pspone = operation({
  id: 'webhooks.pspone',
  method: 'POST',
  path: '/api/v1/webhooks/pspone',
  summary: 'Receive a notification of pspone',
  description:
    'For the provider: an event signed by `Stripe-Signature` over the bytes of the body, at most five minutes old. It is stored and processed in the background, once, however often it is sent.',
  stability: 'beta',
  auth: 'public',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'keyed',
  rawBody: true,
  bodyLimit: 256 * 1024,
  reply: Received,
  errors: ['signature_invalid', 'provider_not_configured'],
})

const psptwo = operation({
  ...pspone,
  id: 'webhooks.psptwo',
  path: '/api/v1/webhooks/psptwo',
  summary: 'Receive a notification of psptwo',
  description:
    'For the provider: an event signed by Standard Webhooks (`webhook-id`, `webhook-timestamp`, `webhook-signature`), at most five minutes old. It is stored and processed in the background, once, however often it is sent.',
})

/** Notifications of payment providers. */
export const webhooks = {
  pspone,
  psptwo,
  psponeUnprefixed: alias(pspone, { id: 'webhooks.psponeUnprefixed', path: '/webhooks/pspone', gate: 'payment-webhooks' }),
  psptwoUnprefixed: alias(psptwo, { id: 'webhooks.psptwoUnprefixed', path: '/webhooks/psptwo', gate: 'payment-webhooks' }),
} as const
