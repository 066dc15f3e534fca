import { Fault, type InvalidPart } from '@millrace/contract'
import { readIdentity } from './client-identity.ts'
import type { ConnectionSecrets, Settings } from './model.ts'

interface SecretRule {
  readonly name: string
  readonly required: boolean
}

/** The secret of a kind of connection; undefined for one that has none. */
function ruleOf(settings: Settings): SecretRule | undefined {
  switch (settings.kind) {
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
      return { name: 'password', required: settings.username !== undefined }
    case 'oauth2':
      return settings.clientAuthentication === 'none' ? undefined : { name: 'clientSecret', required: true }
    case 's3':
      return { name: 'secretAccessKey', required: true }
    case 'mutual-tls':
      return { name: 'identity', required: true }
  }
}

/** Checks that the settings of a connection fit together and come with their secrets. Fault `request_invalid`, without the values. */
export function checkSecrets(settings: Settings, secrets: ConnectionSecrets): void {
  const errors: InvalidPart[] = [...settingFaults(settings), ...secretFaults(settings, secrets)]
  if (errors.length > 0) throw new Fault('request_invalid', { errors })
}

function secretFaults(settings: Settings, secrets: ConnectionSecrets): readonly InvalidPart[] {
  const rule = ruleOf(settings)
  const unknown = Object.keys(secrets).filter((name) => name !== rule?.name)
  const takes = rule === undefined ? 'has no secrets' : `has the secret ${rule.name}`
  return [
    ...unknown.map((name) => ({ pointer: `/secrets/${name}`, detail: `A connection of this kind ${takes}.` })),
    ...(rule?.required === true && secrets[rule.name] === undefined ? [{ pointer: `/secrets/${rule.name}`, detail: 'Is required.' }] : []),
    ...identityFaults(settings, secrets),
  ]
}

function identityFaults(settings: Settings, { identity }: ConnectionSecrets): readonly InvalidPart[] {
  if (settings.kind !== 'mutual-tls' || identity === undefined) return []
  const read = readIdentity(identity, settings.caCertificate)
  return 'problem' in read ? [{ pointer: read.pointer, detail: read.problem }] : []
}

function settingFaults(settings: Settings): readonly InvalidPart[] {
  if (settings.kind === 'oauth2' && settings.grant === 'authorization_code' && settings.authorizationUrl === undefined)
    return [{ pointer: '/settings/authorizationUrl', detail: 'Is required for the grant authorization_code.' }]
  if (settings.kind === 'oauth2' && settings.grant === 'client_credentials' && settings.clientAuthentication === 'none')
    return [{ pointer: '/settings/clientAuthentication', detail: 'Must be basic or post for the grant client_credentials.' }]
  if (!('url' in settings)) return []
  const { username, password, search, hash } = new URL(settings.url)
  return username + password + search + hash === ''
    ? []
    : [{ pointer: '/settings/url', detail: 'Must not contain a user name, password, query or fragment.' }]
}
