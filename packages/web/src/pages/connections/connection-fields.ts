import { connectionKinds } from '@millrace/contract'
import type { FieldKind, FieldSpec } from '#src/forms/field.tsx'
import type { Values } from '#src/forms/use-form.ts'
import { m } from '#src/messages/messages.ts'
import type { Kind } from '#src/pages/connections/connection.ts'

type FieldName = keyof typeof m.connections.fields

/** The secret of a kind, and whether a connection needs it. */
export interface SecretField {
  readonly name: 'key' | 'token' | 'password' | 'clientSecret' | 'secretAccessKey' | 'identity'
  readonly required: boolean
}

/** The kind that a form has chosen. */
export function kindOf({ kind }: Values): Kind {
  return connectionKinds.find((one) => one === kind) ?? 'api-key'
}

/** The secret that goes with the values of a form; undefined for a public client. */
export function secretOf(values: Values): SecretField | undefined {
  switch (kindOf(values)) {
    case 'api-key':
      return { name: 'key', required: true }
    case 'bearer':
      return { name: 'token', required: true }
    case 'basic':
    case 'imap':
      return { name: 'password', required: true }
    case 'database':
      return { name: 'password', required: false }
    case 'smtp':
      return { name: 'password', required: values['username'] !== '' }
    case 'oauth2':
      return values['clientAuthentication'] === 'none' ? undefined : { name: 'clientSecret', required: true }
    case 's3':
      return { name: 'secretAccessKey', required: true }
    case 'mutual-tls':
      return { name: 'identity', required: true }
  }
}

/** The fields of the settings of a kind. */
export function settingFields(values: Values): readonly FieldSpec[] {
  const k = m.connections
  const url = needed('url', 'url', 'https://api.example.com/v2')
  const testPath = field('testPath', 'text', '/me')
  const username = needed('username')
  const host = (example: string) => needed('host', 'text', example)
  const port = (usual: string) => field('port', 'number', usual)
  switch (kindOf(values)) {
    case 'api-key':
      return [url, choice('in', k.places), field('keyName', 'text', 'X-API-Key'), testPath]
    case 'bearer':
      return [url, testPath]
    case 'basic':
      return [url, username, testPath]
    case 'oauth2':
      return [url, ...oauthFields(values), testPath]
    case 'database': {
      const usual = values['engine'] === 'mysql' ? '3306' : '5432'
      const engines = [
        ['postgresql', 'PostgreSQL'],
        ['mysql', 'MySQL'],
      ] as const
      return [choice('engine', engines), host('db.example.com'), port(usual), needed('database'), username, choice('tls', k.encryption)]
    }
    case 'smtp':
      return [
        host('smtp.example.com'),
        port('465'),
        field('encrypted', 'switch'),
        field('username'),
        needed('from', 'text', 'Orders <orders@example.com>'),
      ]
    case 'imap':
      return [host('imap.example.com'), port('993'), field('encrypted', 'switch'), username]
    case 's3':
      return [url, field('region', 'text', 'us-east-1'), needed('bucket'), needed('accessKeyId')]
    case 'mutual-tls':
      return [url, field('caCertificate', 'textarea', '-----BEGIN CERTIFICATE-----'), testPath]
  }
}

const rareNames = new Set(['testPath', 'caCertificate', 'port', 'region', 'clientAuthentication', 'encrypted', 'tls'])
/** The address of a service that each customer has at another host. */
const ofCustomer = /^https:\/\/your-/

/** Whether few people need a field: because of what it is, or because a form begins with its value. */
export function isRare({ name }: FieldSpec, initial: Values): boolean {
  const value = initial[name]
  if (rareNames.has(name)) return true
  const isKnown = knowable.has(name) && typeof initial['url'] === 'string' && initial['url'] !== ''
  return isKnown && typeof value === 'string' && value !== '' && !ofCustomer.test(value)
}

/** What the description of a service says. */
const knowable = new Set(['url', 'in', 'keyName', 'grant', 'tokenUrl', 'authorizationUrl', 'scopes'])

function oauthFields({ grant }: Values): readonly FieldSpec[] {
  const k = m.connections
  const consent = grant === 'authorization_code'
  return [
    choice('grant', k.grants),
    ...(consent ? [needed('authorizationUrl', 'url', 'https://login.example.com/authorize')] : []),
    needed('tokenUrl', 'url', 'https://login.example.com/token'),
    needed('clientId'),
    choice(
      'clientAuthentication',
      k.proofs.filter(([proof]) => consent || proof !== 'none'),
    ),
    field('scopes', 'text', 'contacts.read contacts.write'),
  ]
}

function field(name: FieldName, kind: FieldKind = 'text', placeholder?: string): FieldSpec {
  const hints: Readonly<Record<string, string>> = m.connections.hints
  const hint = hints[name]
  return {
    name,
    kind,
    label: m.connections.fields[name],
    ...(hint === undefined ? {} : { hint }),
    ...(placeholder === undefined ? {} : { placeholder }),
  }
}

function needed(name: FieldName, kind: FieldKind = 'text', placeholder?: string): FieldSpec {
  return { ...field(name, kind, placeholder), required: true }
}

function choice(name: FieldName, options: readonly (readonly [string, string])[]): FieldSpec {
  return { ...field(name, 'select'), options }
}
