import { expect, test } from 'vitest'
import { readUser } from './scim-resources.ts'

test.each(['ada@example.com', "o'neill+shop@mail.example.com", 'A.B-c_d@EXAMPLE.com'])('%s is an address', (userName) => {
  expect(readUser({ userName }).email).toBe(userName.toLowerCase())
})

test.each([
  'someone@other.example,ada@example.com',
  'someone@other.example;ada@example.com',
  '<someone@other.example>ada@example.com',
  'someone@other.example@example.com',
  '"someone@other.example"@example.com',
  'ada@example.com,',
  'ada@éxample.com',
  'a da@example.com',
])('%s is not one address', (userName) => {
  expect(() => readUser({ userName })).toThrow(expect.objectContaining({ status: 400, scimType: 'invalidValue' }))
})
