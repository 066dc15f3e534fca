import { startPsptwoStandIn } from '#testing/payments/psptwo-stand-in.ts'
import { startStripeStandIn } from '#testing/payments/stripe-stand-in.ts'

// One pair for each file of laws; they end with its process.
export const pspone = await startStripeStandIn()
export const psptwo = await startPsptwoStandIn()
