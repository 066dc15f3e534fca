import { connections } from '@millrace/contract'
import { expect, test } from 'vitest'
import { loadMessages } from '#src/messages/messages.ts'
import type { Connection, NewSettings } from '#src/pages/connections/connection.ts'
import { settingFields } from '#src/pages/connections/connection-fields.ts'
import { settingsOf, textOf, valuesOf } from '#src/pages/connections/connection-values.ts'

await loadMessages()

const url = 'https://api.example.com/v2'
const host = 'mail.example.com'

/** Settings of every kind, none of them the default. */
const all: readonly Connection['settings'][] = [
  { kind: 'api-key', url, in: 'query', keyName: 'token', testPath: '/me' },
  { kind: 'bearer', url, testPath: '/me' },
  { kind: 'basic', url, username: 'ada' },
  {
    kind: 'oauth2',
    url,
    grant: 'authorization_code',
    tokenUrl: `${url}/token`,
    authorizationUrl: `${url}/authorize`,
    clientId: 'millrace',
    clientAuthentication: 'none',
    scopes: ['read', 'write'],
  },
  {
    kind: 'oauth2',
    url,
    grant: 'client_credentials',
    tokenUrl: `${url}/token`,
    clientId: 'millrace',
    clientAuthentication: 'post',
    scopes: [],
  },
  { kind: 'database', engine: 'mysql', host, port: 3307, database: 'shop', username: 'ada', tls: 'none' },
  { kind: 'smtp', host, port: 587, encrypted: false, username: 'ada', from: 'Ada <ada@example.com>' },
  { kind: 'imap', host, port: 143, encrypted: false, username: 'ada' },
  { kind: 's3', url, region: 'eu-west-1', bucket: 'files', accessKeyId: 'an-id' },
]

const connectionWith = (settings: Connection['settings']): Connection => ({
  id: 'conn_01arz3ndektsv4rrffq69g5fav',
  name: 'crm',
  kind: settings.kind,
  description: '',
  settings,
  secretNames: [],
  state: 'ready',
  problem: null,
  testedAt: null,
  expiresAt: '2030-05-01T10:00:00.000Z',
  revision: 1,
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-01T00:00:00.000Z',
})

const stored = (settings: NewSettings) => connections.create.body.parse({ name: 'crm', settings }).settings

test.each(all.map((settings) => [settings.kind, settings] as const))('a form keeps every setting of the kind %s', (_kind, settings) => {
  const values = valuesOf(connectionWith(settings))
  expect(stored(settingsOf(values))).toEqual(settings)
  const asked = new Set(settingFields(values).map(({ name }) => name))
  const { kind: _own, ...rest } = settings
  expect(Object.keys(rest).filter((name) => !asked.has(name))).toEqual([])
})

test('what is left empty gets the default of the server', () => {
  const values = { ...valuesOf(undefined), kind: 'smtp', host, from: 'Ada <ada@example.com>' }
  expect(stored(settingsOf(values))).toEqual({ kind: 'smtp', host, port: 465, encrypted: true, from: 'Ada <ada@example.com>' })
})

test('an expiry that is not changed stays the same moment', () => {
  const [settings = { kind: 'bearer', url }] = all
  const local = textOf(valuesOf(connectionWith(settings)), 'expiresAt')
  expect(new Date(local).toISOString()).toBe('2030-05-01T10:00:00.000Z')
})
