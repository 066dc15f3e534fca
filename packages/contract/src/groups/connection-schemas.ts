import * as z from 'zod'
import { connectionKinds } from '#src/connection-kinds.ts'
import { typeId } from '#src/ids.ts'

export const connectionStates = ['ready', 'failed', 'unauthorized'] as const

const text = (max: number) => z.string().trim().min(1).max(max)
/** An IPv6 address has several colons; one colon comes before a port. */
const Host = text(253).refine((host) => !/^[^:]*:[^:]*$/.test(host) && !host.includes('/') && !/\]:\d+$/.test(host), {
  error: 'Must be a host name or an IP address alone, without scheme, port and path. The port has a field of its own.',
})
const Port = z.int().min(1).max(65_535)

const httpUrl = z.url({ protocol: /^https?$/, error: 'Must be an address with http or https.' }).max(500)

const Url = httpUrl.meta({
  description: 'Where requests with the connection go: the credentials are sent below this address and nowhere else.',
  examples: ['https://api.example.com/v2'],
})

const testPath = z
  .string()
  .startsWith('/')
  .max(500)
  .optional()
  .describe('Path below `url` that a test requests by GET; the address itself unless given.')

const encrypted = z.boolean().default(true).describe('TLS from the start; with false STARTTLS where the server offers it.')

/** What a connection is, without its secrets. */
export const ConnectionSettings = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('api-key'),
      url: Url,
      in: z.enum(['header', 'query', 'path']).default('header').describe('`path`: before the path of the request, as in `/bot<key>/send`.'),
      keyName: text(100)
        .regex(/^[A-Za-z0-9_.-]+$/)
        .default('X-API-Key')
        .describe('Name of the header or query parameter; in a path the text before the key.'),
      testPath,
    }),
    z.strictObject({ kind: z.literal('bearer'), url: Url, testPath }),
    z.strictObject({ kind: z.literal('basic'), url: Url, username: text(500), testPath }),
    z.strictObject({
      kind: z.literal('oauth2'),
      url: Url,
      grant: z.enum(['client_credentials', 'authorization_code']),
      tokenUrl: httpUrl,
      authorizationUrl: httpUrl.optional().describe('Required for `authorization_code`.'),
      clientId: text(500),
      clientAuthentication: z.enum(['basic', 'post', 'none']).default('basic').describe('`none`: a public client, without secret.'),
      scopes: z.array(text(200)).max(50).default([]),
      testPath,
    }),
    z.strictObject({
      kind: z.literal('database'),
      engine: z.enum(['postgresql', 'mysql']),
      host: Host,
      port: Port.optional(),
      database: text(200),
      username: text(200),
      tls: z.enum(['verify', 'none']).default('verify').describe('`none`: without encryption, for a private network.'),
    }),
    z.strictObject({
      kind: z.literal('smtp'),
      host: Host,
      port: Port.default(465),
      encrypted,
      username: text(500).optional(),
      from: text(500).describe('The sender of the mails, such as `Orders <orders@example.com>`.'),
    }),
    z.strictObject({ kind: z.literal('imap'), host: Host, port: Port.default(993), encrypted, username: text(500) }),
    z.strictObject({
      kind: z.literal('s3'),
      url: Url,
      region: text(100).default('us-east-1'),
      bucket: text(100).regex(/^[A-Za-z0-9._-]+$/),
      accessKeyId: text(200),
    }),
    z.strictObject({
      kind: z.literal('mutual-tls'),
      url: Url,
      caCertificate: text(20_000).optional().describe('Certificates in PEM of the authority of the server, if it is no public one.'),
      testPath,
    }),
  ])
  .meta({
    description: 'The kind of the connection and what is not secret about it.',
    examples: [{ kind: 'bearer', url: 'https://api.example.com/v2' }],
  })

export const ConnectionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}$/, {
    error: 'Must be a lower-case letter, followed by letters, digits and hyphens; at most 63 characters.',
  })
  .meta({ description: 'Name in definitions, as in `with: { connection: crm }`.', examples: ['crm'] })

export const FunctionName = z
  .string()
  .regex(/^[a-z][a-z0-9-]{0,62}\.[A-Za-z][A-Za-z0-9_-]{0,99}$/, { error: 'Must be the full name of a function of a connector.' })
  .meta({ description: 'Full name of the function.', examples: ['slack.postMessage'] })

export const ConnectionSecrets = z.record(z.string().max(50), z.string().min(4).max(32_768)).meta({
  description:
    'By name: `key` (api-key), `token` (bearer), `password` (basic, database, smtp, imap), `clientSecret` (oauth2), `secretAccessKey` (s3), `identity` (mutual-tls: certificate and private key in PEM). Sealed, and in no response.',
  examples: [{ token: 'the token of the service' }],
})

export const ExpiresAt = z.iso
  .datetime()
  .nullable()
  .describe('When the secret ends, as its issuer says. Administrators are notified a week before.')

export const Connection = z
  .object({
    id: typeId('conn'),
    name: z.string(),
    kind: z.enum(connectionKinds),
    description: z.string(),
    settings: ConnectionSettings,
    secretNames: z.array(z.string()).describe('Names of the secrets that are kept; their values are in no response.'),
    state: z.enum(connectionStates).describe('`unauthorized`: OAuth needs the consent of a person.'),
    problem: z.string().nullable().describe('What the last test, or the last use, found.'),
    testedAt: z.iso.datetime().nullable(),
    expiresAt: z.iso.datetime().nullable(),
    revision: z.int(),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'Connection' })
