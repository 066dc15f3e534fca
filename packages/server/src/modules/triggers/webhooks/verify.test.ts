import { Stripe } from 'stripe'
import { expect, test } from 'vitest'
import { verifyRequest } from './verify.ts'

const secret = 'whsec_of_a_test'

function deliveryIdOf(payload: string): string | undefined {
  const timestamp = 1_767_225_600
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
  const request = { headers: { 'stripe-signature': signature }, body: Buffer.from(payload) }
  const verified = verifyRequest({ scheme: 'stripe', toleranceSeconds: 300 }, secret, request, timestamp * 1000)
  if (!verified.ok) throw new Error(verified.reason)
  return verified.deliveryId
}

test('the id of a Stripe event is that of the event itself, wherever it stands and whatever the event contains', () => {
  expect(deliveryIdOf('{"data":{"object":{"id":"evt_inner"}},"id":"evt_1"}')).toBe('evt_1')
  expect(deliveryIdOf('{"note":"\\"id\\":\\"evt_text\\"","id":"\\u0065vt_2"}')).toBe('evt_2')
  for (const other of ['{"data":{"id":"evt_inner"}}', '{"id":"ch_1"}', `{"id":"evt_${'x'.repeat(201)}"}`, '{"id":7}', 'null', 'no JSON'])
    expect(deliveryIdOf(other)).toBeUndefined()
})
