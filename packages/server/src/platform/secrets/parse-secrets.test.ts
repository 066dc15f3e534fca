import { describe, expect, test } from 'vitest'
import { newId, toTypeId } from '#platform/ids.ts'
import { parseSecrets } from './parse-secrets.ts'

const accountId = newId()
const account = toTypeId('acct', accountId)

const faultOf = (text: string) => {
  try {
    parseSecrets(text)
    return undefined
  } catch (error) {
    expect(error).toMatchObject({ name: 'SecretsFault' })
    return String(error)
  }
}

test('secrets are texts and objects, by account and name', () => {
  const login = { username: 'ada', password: 'hunter2', client: { id: 'a', scopes: ['x', 1, true, null] } }
  const accounts = parseSecrets(JSON.stringify({ [account]: { token: 't', 'git-hub.token_2': 'u', login } }))
  expect([...accounts.keys()]).toEqual([accountId])
  expect(Object.fromEntries(accounts.get(accountId) ?? [])).toEqual({ token: 't', 'git-hub.token_2': 'u', login })
})

test('no accounts and no secrets are fine', () => {
  expect(parseSecrets('{}').size).toBe(0)
  expect(parseSecrets(`{ "${account}": {} }`).get(accountId)?.size).toBe(0)
})

describe('every fault is reported with its position', () => {
  test.each([
    ['[]', 'the file: this has to be an object of accounts'],
    ['"hunter2hunter2"', 'the file: this has to be an object of accounts'],
    ['{ "token": "hunter2hunter2" }', '/token: this is not the id of an account'],
    ['{ "ada@example.com": {} }', '/ada@example.com: this is not the id of an account'],
    [`{ "${toTypeId('usr', accountId)}": {} }`, 'this is not the id of an account'],
    [`{ "${account}": "hunter2hunter2" }`, `/${account}: this has to be an object of secrets`],
    [`{ "${account}": ["hunter2hunter2"] }`, `/${account}: this has to be an object of secrets`],
    [`{ "${account}": { "my token": "hunter2hunter2" } }`, `/${account}/my token: names of secrets are`],
    [`{ "${account}": { "a/b": "hunter2hunter2" } }`, `/${account}/a~1b: names of secrets are`],
    [`{ "${account}": { "": "hunter2hunter2" } }`, `/${account}/: names of secrets are`],
    [`{ "${account}": { "token": "" } }`, `/${account}/token: a secret is a text in quotes`],
    [`{ "${account}": { "token": 12345678 } }`, `/${account}/token: a secret is a text in quotes`],
    [`{ "${account}": { "token": null } }`, `/${account}/token: a secret is a text in quotes`],
    [`{ "${account}": { "token": {} } }`, `/${account}/token: a secret is a text in quotes`],
    [`{\n "${account}": { "token": hunter2hunter2 }`, 'it is not JSON: line 2, column'],
    [`{ "${account}": { "token": "hunter2hunter2" }`, 'it is not JSON: line 1, column'],
    ['', 'it is not JSON: line 1, column 1'],
  ])('%s', (text, expected) => {
    expect(faultOf(text)).toContain(expected)
  })

  test.each([
    '{ "token": "hunter2hunter2" ',
    '{ "token": hunter2hunter2 }',
    '"hunter2hunter2',
    'hunter2hunter2',
    `{ "${account}": { "token": "hunter2hunter2\n" } }`,
    `{ "${account}": "hunter2hunter2" }`,
  ])('without the secret: %s', (text) => {
    expect(faultOf(text)).toBeDefined()
    expect(faultOf(text)).not.toContain('hunter2')
  })
})
