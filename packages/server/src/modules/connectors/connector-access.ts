import { isObject, itemsOf, type Json, type JsonObject, membersOf } from '@millrace/engine'
import { accessHints } from './built-in/access-hints.ts'
import { authenticationOf } from './functions/manifest-document.ts'

/** What a connection for a connector is, as far as its document says. */
export interface ConnectorAccess {
  readonly kind: 'api-key' | 'bearer' | 'basic' | 'oauth2'
  /** The members of its settings that are known. */
  readonly settings: JsonObject
  readonly keyUrl: string | null
}

/** The access of a connector from its document; `name` is that of a connector of the installation. Null where it needs none, or does not say how. */
export function accessOf(document: Json | undefined, name?: string): ConnectorAccess | null {
  const root = membersOf(document)
  const hint = name === undefined ? undefined : accessHints[name]
  const found = hint?.consent === undefined ? (ofManifest(root) ?? ofSchemes(root)) : ofConsent(hint.consent)
  if (found === undefined) return null
  const { kind, ...settings } = found
  const [server] = itemsOf(root['servers']).flatMap((one) => urlOf(isObject(one) ? one['url'] : one))
  const known = { ...(server === undefined ? {} : { url: server }), ...(hint?.testPath === undefined ? {} : { testPath: hint.testPath }) }
  return { kind, settings: { ...known, ...settings }, keyUrl: hint?.keyUrl ?? null }
}

type Found = { readonly kind: ConnectorAccess['kind'] } & JsonObject

function ofConsent({
  authorizationUrl,
  tokenUrl,
  scopes,
}: {
  readonly authorizationUrl: string
  readonly tokenUrl: string
  readonly scopes: readonly string[]
}): Found {
  return { kind: 'oauth2', grant: 'authorization_code', authorizationUrl, tokenUrl, scopes }
}

function ofManifest(root: JsonObject): Found | undefined {
  const authentication = authenticationOf(root)
  switch (authentication?.kind) {
    case 'bearer':
    case 'basic':
      return { kind: authentication.kind }
    case 'apiKey':
      return { kind: 'api-key', in: authentication.in, keyName: authentication.name }
    default:
      return undefined
  }
}

/** The first security scheme of an OpenAPI document that a connection can have. */
function ofSchemes(root: JsonObject): Found | undefined {
  const schemes = Object.values(membersOf(membersOf(root['components'])['securitySchemes']))
  return schemes.flatMap((scheme) => ofScheme(membersOf(scheme)) ?? [])[0]
}

function ofScheme({ type, scheme, in: place, name, flows }: JsonObject): Found | undefined {
  if (type === 'http') {
    const kind = typeof scheme === 'string' ? scheme.toLowerCase() : undefined
    return kind === 'bearer' || kind === 'basic' ? { kind } : undefined
  }
  if (type === 'apiKey')
    return (place === 'header' || place === 'query') && typeof name === 'string' ? { kind: 'api-key', in: place, keyName: name } : undefined
  if (type !== 'oauth2') return undefined
  const { authorizationCode, clientCredentials } = membersOf(flows)
  const flow = membersOf(authorizationCode ?? clientCredentials)
  const [tokenUrl] = urlOf(flow['tokenUrl'])
  const [authorizationUrl] = urlOf(flow['authorizationUrl'])
  const scopes = Object.keys(membersOf(flow['scopes']))
  if (tokenUrl === undefined) return { kind: 'oauth2' }
  return authorizationUrl === undefined
    ? { kind: 'oauth2', grant: 'client_credentials', tokenUrl, scopes }
    : ofConsent({ authorizationUrl, tokenUrl, scopes })
}

function urlOf(value: Json | undefined): readonly string[] {
  return typeof value === 'string' && /^https?:/.test(value) && URL.canParse(value) ? [value] : []
}
