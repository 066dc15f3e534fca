import { expect, test } from 'vitest'
import { namesSecret } from '#src/pages/build/secret-names.ts'

test.each(['API_KEY', 'STRIPE_KEY_LIVE', 'stripeKey', 'DB_PASSWORD_2', 'githubToken', 'WEBHOOK_SECRET'])('%s suggests a secret', (name) => {
  expect(namesSecret(name)).toBe(true)
})

test.each(['KEYBOARD', 'MONKEY', 'REGION'])('%s suggests none', (name) => {
  expect(namesSecret(name)).toBe(false)
})
