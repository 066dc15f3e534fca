import { describe, expect, test } from 'vitest'
import { accessHints } from './built-in/access-hints.ts'
import { builtInConnectors } from './built-in/built-in-connectors.ts'
import { accessOf } from './connector-access.ts'
import { documentOf } from './functions/manifest-document.ts'
import { Manifest } from './manifest.ts'

describe('what a connection for a connector is', () => {
  test('every connector of the installation says, with the place of its credentials', () => {
    expect(Object.keys(accessHints).toSorted()).toEqual(builtInConnectors.map(({ name }) => name).toSorted())
    const silent = builtInConnectors.filter(({ name, manifest }) => {
      const access = accessOf(documentOf(Manifest.parse(manifest)), name)
      return access?.keyUrl === null || typeof access?.settings['url'] !== 'string'
    })
    expect(silent).toEqual([])
  })

  test('is in a manifest and in the document that was made of it', () => {
    const manifest = Manifest.parse({
      connector: '1.0',
      title: 'Parcels',
      servers: ['https://api.parcels.example'],
      authentication: { kind: 'apiKey', in: 'query', name: 'key' },
      operations: [{ name: 'track', summary: 'Where it is.', method: 'get', path: '/parcels' }],
    })
    const access = { kind: 'api-key', settings: { url: 'https://api.parcels.example', in: 'query', keyName: 'key' }, keyUrl: null }
    expect(accessOf(documentOf(manifest))).toEqual(access)
    expect(accessOf(JSON.parse(JSON.stringify(manifest)))).toEqual(access)
  })

  test.each([
    [
      { type: 'http', scheme: 'Bearer' },
      { kind: 'bearer', settings: {} },
    ],
    [
      { type: 'apiKey', in: 'header', name: 'X-Key' },
      { kind: 'api-key', settings: { in: 'header', keyName: 'X-Key' } },
    ],
    [
      {
        type: 'oauth2',
        flows: {
          authorizationCode: { authorizationUrl: 'https://a.example/authorize', tokenUrl: 'https://a.example/token', scopes: { read: '' } },
        },
      },
      {
        kind: 'oauth2',
        settings: {
          grant: 'authorization_code',
          authorizationUrl: 'https://a.example/authorize',
          tokenUrl: 'https://a.example/token',
          scopes: ['read'],
        },
      },
    ],
  ])('is the security scheme %j of an OpenAPI document', (scheme, access) => {
    expect(accessOf({ components: { securitySchemes: { own: scheme } } })).toEqual({ ...access, keyUrl: null })
  })

  test('is unknown where a document does not say, or says what no connection can be', () => {
    expect(accessOf({ servers: [{ url: 'https://a.example' }] })).toBeNull()
    expect(accessOf({ components: { securitySchemes: { own: { type: 'apiKey', in: 'cookie', name: 'sid' } } } })).toBeNull()
  })
})
