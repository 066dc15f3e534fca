import { isLoopback } from '#platform/net/loopback.ts'
import { publicUrl } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'
import { Secret } from './secret.ts'

/** The Vault of the installation. */
export interface VaultSettings {
  /** Without a slash at its end. */
  readonly url: string
  readonly path: string
  readonly namespace: string | undefined
  readonly credential:
    | { readonly kind: 'token'; readonly token: Secret }
    | { readonly kind: 'approle'; readonly roleId: string; readonly secretId: Secret }
}

/** Reads the settings of the Vault; `undefined` without one. */
export function readVault(reader: Reader): VaultSettings | undefined {
  const url = reader.optional('MILLRACE_VAULT_URL', vaultUrl)
  const path = reader.read('MILLRACE_VAULT_PATH', vaultPath, 'secret/data/millrace')
  const namespace = reader.optional('MILLRACE_VAULT_NAMESPACE', String)
  const token = reader.secret('MILLRACE_VAULT_TOKEN', 'MILLRACE_VAULT_TOKEN_FILE', String)
  const roleId = reader.optional('MILLRACE_VAULT_ROLE_ID', String)
  const secretId = reader.secret('MILLRACE_VAULT_SECRET_ID', 'MILLRACE_VAULT_SECRET_ID_FILE', String)
  if (url === undefined) return undefined
  if (token !== undefined) {
    if (roleId !== undefined) reader.fault('MILLRACE_VAULT_ROLE_ID', 'is set beside MILLRACE_VAULT_TOKEN. Unset one of them.')
    return { url, path, namespace, credential: { kind: 'token', token: new Secret(token) } }
  }
  if (roleId !== undefined && secretId !== undefined)
    return { url, path, namespace, credential: { kind: 'approle', roleId, secretId: new Secret(secretId) } }
  reader.fault(
    'MILLRACE_VAULT_TOKEN',
    'is not set, but MILLRACE_VAULT_URL is. Set it, or MILLRACE_VAULT_ROLE_ID and MILLRACE_VAULT_SECRET_ID.',
  )
  return undefined
}

/** HTTPS, or HTTP to this machine: the token is sent to it. */
function vaultUrl(text: string): string {
  const url = URL.parse(text)
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname)
  if (url?.protocol === 'https:' || isLocal) return publicUrl(text)
  throw new Mistake('is not a URL with https. Write for example https://vault.example.com:8200.')
}

function vaultPath(text: string): string {
  const path = text.replace(/^\/+|\/+$/g, '')
  if (/^[\w.-]+\/data(?:\/[\w.-]+)*$/.test(path) && !path.split('/').includes('..')) return path
  throw new Mistake('is not the path of an engine kv, version 2. Write for example secret/data/millrace.')
}
