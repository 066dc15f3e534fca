import { api } from '#src/api/client.ts'

const key = 'millrace.checkout'

interface Purchase {
  readonly tier: string
  readonly interval: 'month' | 'year'
  readonly currency: string
  readonly country?: string
}

/** Opens the page of the payment provider, which returns the browser to the plan. */
export async function beginCheckout(provider: 'pspone' | 'psptwo', purchase: Purchase): Promise<void> {
  const back = `${location.origin}/settings/plan`
  const body = { ...purchase, successUrl: back, cancelUrl: back }
  const intent = await (provider === 'pspone' ? api.billing.checkoutPspone({ body }) : api.billing.checkoutPsptwo({ body }))
  sessionStorage.setItem(key, intent.id)
  if (intent.url !== null) location.assign(intent.url)
}

/** The checkout that this tab has begun, until its end was shown. */
export const begunCheckout = {
  id: (): string | null => sessionStorage.getItem(key),
  forget: (): void => sessionStorage.removeItem(key),
} as const
