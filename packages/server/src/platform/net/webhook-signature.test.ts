import { randomBytes } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { expect, test } from 'vitest'
import { secretText, signatureHeaders } from './webhook-signature.ts'

const signed = { id: 'dlv_1', timestamp: Math.floor(Date.now() / 1000), body: '{"a":"Grüße"}' }

test('an independent implementation verifies the signature with the displayed secret and with no other', () => {
  const [secret, other] = [randomBytes(32), randomBytes(32)]
  const headers = signatureHeaders(signed, [secret])
  expect(new Webhook(secretText(secret)).verify(signed.body, headers)).toEqual({ a: 'Grüße' })
  expect(() => new Webhook(secretText(other)).verify(signed.body, headers)).toThrow('No matching signature')
  expect(() => new Webhook(secretText(secret)).verify(`${signed.body} `, headers)).toThrow('No matching signature')
})

test('with two secrets, each of them verifies', () => {
  const secrets = [randomBytes(32), randomBytes(32)]
  const headers = signatureHeaders(signed, secrets)
  for (const secret of secrets) expect(new Webhook(secretText(secret)).verify(signed.body, headers)).toEqual({ a: 'Grüße' })
  expect(headers['webhook-signature']?.split(' ')).toHaveLength(2)
})

test('the signature of the example in the specification is reproduced', () => {
  const secret = Buffer.from('MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'base64')
  const headers = signatureHeaders({ id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' }, [secret])
  expect(headers['webhook-signature']).toBe('v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
})
