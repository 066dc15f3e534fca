export { webhookHandlers } from './handlers.ts'
export { createInbound, type Inbound, providerOf } from './inbound.ts'
export {
  type AmountRule,
  type PaymentProvider,
  type ProviderName,
  providerNameOf,
  type ProviderPayment,
  ProviderRefused,
  ProviderUnavailable,
} from './provider.ts'
export { createPspone } from './pspone.ts'
export { createPsptwo } from './psptwo.ts'
