import { expect, test } from 'vitest'
import { createTestServer } from '#testing/server.ts'

test('people who register at the same time on a new server all get in, however few connections there are', async () => {
  await using server = await createTestServer({ MILLRACE_DATABASE_CONNECTIONS: '8' })
  const register = (index: number) =>
    fetch(`${server.url}/api/v1/auth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email: `rush${index}@example.com`, password: 'a rather long sentence to sign in with', name: 'Rush' }),
    })
  const replies = await Promise.all(Array.from({ length: 12 }, (_, index) => register(index)))
  expect(replies.map(({ status }) => status)).toEqual(Array.from({ length: 12 }, () => 200))
})
