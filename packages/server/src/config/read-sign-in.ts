import type { BreachedSource } from '#platform/auth/breached-passwords.ts'
import { isLoopback } from '#platform/net/loopback.ts'
import { listOf, oneOf } from './parse.ts'
import { Mistake, type Reader } from './reader.ts'
import { Secret } from './secret.ts'
import type { Variable } from './variables.ts'

/** A sign-in provider of the installation. */
export interface LoginProviderSettings {
  /** Shown on the sign-in page. */
  readonly name: string
  readonly issuer: string
  readonly clientId: string
  /** `undefined` for a public client. */
  readonly clientSecret: Secret | undefined
  readonly scopes: readonly string[]
}

/** Who may register. `until_operator`: everyone until the installation has an operator, then invited people. */
export type RegistrationRule = (typeof registrationModes)[number] | 'until_operator'

const registrationModes = ['open', 'invite', 'closed'] as const

export interface SignInSettings {
  readonly registration: RegistrationRule
  /** Whether every account demands a second factor of its users. */
  readonly demandsSecondFactor: boolean
  /** Where new passwords are looked up; `undefined` for nowhere. */
  readonly breachedPasswords: BreachedSource | undefined
  readonly loginOne: LoginProviderSettings | undefined
  readonly loginTwo: LoginProviderSettings | undefined
  /** DNS servers that verify domains, as `address:port`; those of the system if empty. */
  readonly dnsServers: readonly string[]
}

/** Reads the settings of registration and external sign-in. @param isLocal whether only this machine reaches the server. */
export function readSignIn(reader: Reader, isLocal: boolean): SignInSettings {
  return {
    registration: reader.read<RegistrationRule>('MILLRACE_REGISTRATION', oneOf(registrationModes), isLocal ? 'open' : 'until_operator'),
    demandsSecondFactor: reader.read('MILLRACE_SECOND_FACTOR', oneOf(['optional', 'required']), 'optional') === 'required',
    breachedPasswords: reader.optional('MILLRACE_BREACHED_PASSWORDS', breachedSource),
    loginOne: readLogin(reader, {
      issuer: 'MILLRACE_LOGIN_ONE_ISSUER',
      clientId: 'MILLRACE_LOGIN_ONE_CLIENT_ID',
      secret: 'MILLRACE_LOGIN_ONE_CLIENT_SECRET',
      secretFile: 'MILLRACE_LOGIN_ONE_CLIENT_SECRET_FILE',
      name: 'MILLRACE_LOGIN_ONE_NAME',
      scopes: 'MILLRACE_LOGIN_ONE_SCOPES',
    }),
    loginTwo: readLogin(reader, {
      issuer: 'MILLRACE_LOGIN_TWO_ISSUER',
      clientId: 'MILLRACE_LOGIN_TWO_CLIENT_ID',
      secret: 'MILLRACE_LOGIN_TWO_CLIENT_SECRET',
      secretFile: 'MILLRACE_LOGIN_TWO_CLIENT_SECRET_FILE',
      name: 'MILLRACE_LOGIN_TWO_NAME',
      scopes: 'MILLRACE_LOGIN_TWO_SCOPES',
    }),
    dnsServers: reader.read('MILLRACE_DNS_SERVERS', listOf(dnsServer), []),
  }
}

type Names = Readonly<Record<'issuer' | 'clientId' | 'secret' | 'secretFile' | 'name' | 'scopes', Variable>>

function readLogin(reader: Reader, names: Names): LoginProviderSettings | undefined {
  const issuer = reader.optional(names.issuer, issuerUrl)
  const clientId = reader.optional(names.clientId, String)
  const clientSecret = reader.secret(names.secret, names.secretFile, String)
  const scopes = reader.read(names.scopes, (text) => text.split(/[\s,]+/).filter((scope) => scope !== ''), ['openid', 'email', 'profile'])
  const name = reader.optional(names.name, String)
  if (issuer === undefined) return undefined
  if (clientId === undefined) {
    reader.fault(
      names.clientId,
      `is not set, but ${names.issuer} is. Write the id under which this installation is registered at the provider.`,
    )
    return undefined
  }
  return {
    name: name ?? new URL(issuer).hostname,
    issuer,
    clientId,
    clientSecret: clientSecret === undefined ? undefined : new Secret(clientSecret),
    scopes,
  }
}

/** The absolute path of a file, or a service with https, or with http on this machine. */
function breachedSource(text: string): BreachedSource {
  if (text.startsWith('/')) return { kind: 'file', path: text }
  const url = URL.parse(text)
  const isLocal = url?.protocol === 'http:' && isLoopback(url.hostname)
  if ((url?.protocol === 'https:' || isLocal) && url.search === '' && url.hash === '' && url.username === '')
    return { kind: 'service', url: text }
  throw new Mistake('is neither the absolute path of a file nor a URL with https. Write for example https://api.pwnedpasswords.com/range.')
}

/** An issuer with https, or with http on this machine. */
function issuerUrl(text: string): string {
  const url = URL.parse(text)
  const isLocal = url?.protocol === 'http:' && /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/.test(url.hostname)
  if ((url?.protocol === 'https:' || isLocal) && url.search === '' && url.hash === '' && url.username === '') return text
  throw new Mistake(
    `${JSON.stringify(text)} is not an issuer. Write the URL that the provider names, such as https://accounts.example.com.`,
  )
}

function dnsServer(text: string): string {
  if (/^(?:\d{1,3}(?:\.\d{1,3}){3}(?::\d{1,5})?|\[[\da-f:]+\](?::\d{1,5})?|[\da-f:]+)$/i.test(text)) return text
  throw new Mistake(`${JSON.stringify(text)} is not the address of a DNS server. Write for example 10.0.0.53 or 10.0.0.53:5353.`)
}
