import type { Values } from '#src/forms/use-form.ts'
import type { Connection, Kind, NewSettings } from '#src/pages/connections/connection.ts'
import { localTime } from '#src/values/local-time.ts'
import { kindOf } from '#src/pages/connections/connection-fields.ts'

const blank = {
  name: '',
  description: '',
  expiresAt: '',
  kind: 'api-key',
  url: '',
  in: 'header',
  keyName: '',
  testPath: '',
  username: '',
  grant: 'authorization_code',
  tokenUrl: '',
  authorizationUrl: '',
  clientId: '',
  clientAuthentication: 'basic',
  scopes: '',
  engine: 'postgresql',
  host: '',
  port: '',
  database: '',
  tls: 'verify',
  encrypted: true,
  from: '',
  region: '',
  bucket: '',
  accessKeyId: '',
  key: '',
  token: '',
  password: '',
  clientSecret: '',
  secretAccessKey: '',
  caCertificate: '',
  identity: '',
}

/** The values of a form for a new connection of a kind, with what is known of its settings. */
export function newValues(kind: Kind, name: string, settings: Readonly<Record<string, unknown>> = {}): Values {
  const { scopes } = settings
  const known = Object.fromEntries(Object.entries(settings).filter(([, value]) => typeof value === 'string' || typeof value === 'boolean'))
  return { ...blank, ...known, kind, name, ...(Array.isArray(scopes) ? { scopes: scopes.join(' ') } : {}) }
}

/** The values of a form for a connection; its secrets are empty, since no operation returns them. */
export function valuesOf(connection: Connection | undefined): Values {
  if (connection === undefined) return blank
  const { name, description, expiresAt, settings } = connection
  const scopes = settings.kind === 'oauth2' ? { scopes: settings.scopes.join(' ') } : {}
  return { ...blank, ...settings, ...scopes, name, description, expiresAt: expiresAt === null ? '' : localTime(expiresAt) }
}

/** A text of a form without the blanks around it; empty unless it is one. */
export function textOf(values: Values, name: string): string {
  const value = values[name]
  return typeof value === 'string' ? value.trim() : ''
}

function optional(values: Values, name: string): string | undefined {
  const text = textOf(values, name)
  return text === '' ? undefined : text
}

function oneOf<const T extends string>(values: Values, name: string, options: readonly [T, ...T[]]): T {
  return options.find((option) => option === values[name]) ?? options[0]
}

/** The settings that a form describes; what is left empty gets the default of the server. */
export function settingsOf(values: Values): NewSettings {
  const kind = kindOf(values)
  const text = (name: string) => textOf(values, name)
  const more = (name: string) => optional(values, name)
  const web = { url: text('url'), testPath: more('testPath') }
  const typedPort = Number(values['port'])
  const server = { host: text('host'), port: typedPort === 0 ? undefined : typedPort }
  const encrypted = values['encrypted'] === true
  switch (kind) {
    case 'api-key':
      return { kind, ...web, in: oneOf(values, 'in', ['header', 'query', 'path']), keyName: more('keyName') }
    case 'bearer':
      return { kind, ...web }
    case 'basic':
      return { kind, ...web, username: text('username') }
    case 'oauth2': {
      const grant = oneOf(values, 'grant', ['authorization_code', 'client_credentials'])
      return {
        kind,
        ...web,
        grant,
        tokenUrl: text('tokenUrl'),
        authorizationUrl: grant === 'authorization_code' ? text('authorizationUrl') : undefined,
        clientId: text('clientId'),
        clientAuthentication: oneOf(values, 'clientAuthentication', ['basic', 'post', 'none']),
        scopes: text('scopes').split(/\s+/).filter(Boolean),
      }
    }
    case 'database':
      return {
        kind,
        ...server,
        engine: oneOf(values, 'engine', ['postgresql', 'mysql']),
        database: text('database'),
        username: text('username'),
        tls: oneOf(values, 'tls', ['verify', 'none']),
      }
    case 'smtp':
      return { kind, ...server, encrypted, username: more('username'), from: text('from') }
    case 'imap':
      return { kind, ...server, encrypted, username: text('username') }
    case 's3':
      return { kind, url: web.url, region: more('region'), bucket: text('bucket'), accessKeyId: text('accessKeyId') }
    case 'mutual-tls':
      return { kind, ...web, caCertificate: more('caCertificate') }
  }
}
