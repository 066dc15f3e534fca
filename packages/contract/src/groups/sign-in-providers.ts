import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { givenRoles } from '#src/roles.ts'

const Name = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .meta({ description: 'Shown on the button of the sign-in page.', examples: ['Example Inc.'] })

const ProvisionedRole = z.enum(givenRoles)

const provisioning = {
  provision: z
    .boolean()
    .default(true)
    .describe('Whether the first sign-in of a person with an address in a verified domain creates the user.'),
  defaultRole: ProvisionedRole.default('member').describe('Role of a new user to whom no entry of `roles` applies.'),
  roleClaim: z
    .string()
    .trim()
    .min(1)
    .max(256)
    .optional()
    .describe(
      'Claim or attribute with the groups of the person, such as `groups`. With it, every sign-in sets the role, except of owners.',
    ),
  roles: z
    .record(z.string().min(1).max(256), ProvisionedRole)
    .default({})
    .refine((roles) => Object.keys(roles).length <= 200, { error: 'At most 200 entries.' })
    .describe('Role by value of `roleClaim`; of several that apply, the strongest.'),
}

/** How a directory gives roles. */
export const provisionedRoles = {
  body: {
    defaultRole: ProvisionedRole.default('member').describe('Role of a user to whom no group gives one.'),
    roles: z
      .record(z.string().min(1).max(256), ProvisionedRole)
      .default({})
      .refine((roles) => Object.keys(roles).length <= 200, { error: 'At most 200 entries.' })
      .describe('Role by the name of a group; of several that apply, the strongest.'),
  },
  reply: { defaultRole: ProvisionedRole, roles: z.record(z.string(), ProvisionedRole) },
} as const

const SignInProvider = z
  .object({
    protocol: z.enum(['oidc', 'saml']),
    name: z.string(),
    issuer: z.string().describe('Issuer of OpenID Connect, or entity id of the SAML provider.'),
    clientId: z.string().nullable().describe('Null for SAML.'),
    scopes: z.array(z.string()).nullable().describe('Null for SAML.'),
    signInUrl: z.string().nullable().describe('Where the SAML provider takes requests; null for OpenID Connect, which announces it.'),
    certificatesValidUntil: z
      .array(z.iso.datetime())
      .nullable()
      .describe('When each signing certificate of the SAML provider ends. The end is not checked at sign-in. Null for OpenID Connect.'),
    callbackUrl: z.string().describe('Register it at the provider, exactly: the redirect URI, or the ACS URL.'),
    provision: z.boolean(),
    defaultRole: ProvisionedRole,
    roleClaim: z.string().nullable(),
    roles: z.record(z.string(), ProvisionedRole),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .meta({ id: 'SignInProvider' })

const path = '/api/v1/account/sign-in-providers'
const admin = { stability: 'beta', auth: { scope: 'account:security' }, role: 'admin', rateLimit: 'default' } as const
const reads = { ...admin, audit: 'none', idempotency: 'natural', errors: [] } as const

const list = operation({
  ...reads,
  id: 'signInProviders.list',
  method: 'GET',
  path,
  summary: 'List the sign-in providers of the account',
  description: 'At most one of OpenID Connect and one of SAML. Secrets are never returned.',
  query: z.strictObject(listQuery),
  reply: listPage(SignInProvider),
})

const putOidc = operation({
  ...admin,
  id: 'signInProviders.putOidc',
  method: 'PUT',
  path: `${path}/oidc`,
  summary: 'Set the OpenID Connect provider of the account',
  description:
    'Reads the configuration that the provider publishes before it stores anything, so a wrong issuer is refused at once. With another issuer or client, the identities that the former provider linked no longer sign anyone in.',
  audit: 'sign_in_provider.changed',
  idempotency: 'natural',
  body: z.strictObject({
    name: Name,
    issuer: z
      .url({ protocol: /^https?$/, error: 'Must be the issuer as a URL with https.' })
      .max(1024)
      .meta({ examples: ['https://login.example.com'] }),
    clientId: z.string().trim().min(1).max(512),
    clientSecret: z
      .string()
      .min(1)
      .max(2048)
      .optional()
      .describe('Left out: the stored one stays if issuer and client are unchanged. A public client has none.'),
    scopes: z
      .array(z.string().regex(/^[\x21\x23-\x5B\x5D-\x7E]{1,200}$/, { error: 'Must be a scope without spaces.' }))
      .max(20)
      .default(['openid', 'email', 'profile'])
      .describe('`openid` is added if it is missing.'),
    ...provisioning,
  }),
  reply: SignInProvider,
  errors: ['sign_in_provider_invalid'],
})

const putSaml = operation({
  ...admin,
  id: 'signInProviders.putSaml',
  method: 'PUT',
  path: `${path}/saml`,
  summary: 'Set the SAML provider of the account',
  description:
    'Takes the metadata document of the provider: its entity id, its address for the HTTP-Redirect binding and its signing certificates. Send it again when the certificates change.',
  audit: 'sign_in_provider.changed',
  idempotency: 'natural',
  body: z.strictObject({
    name: Name,
    metadata: z.string().min(1).max(262_144).describe('The metadata document of the provider, as XML.'),
    emailAttribute: z.string().trim().min(1).max(256).optional().describe('Attribute with the e-mail address; the usual ones are known.'),
    ...provisioning,
  }),
  reply: SignInProvider,
  errors: ['sign_in_provider_invalid', 'forbidden'],
})

const Protocol = z.enum(['oidc', 'saml'])

const remove = operation({
  ...admin,
  id: 'signInProviders.delete',
  method: 'DELETE',
  path: `${path}/{protocol}`,
  summary: 'Remove a sign-in provider of the account',
  description: 'Its identities are removed too. Users without another way in can be invited again or use another provider.',
  audit: 'sign_in_provider.deleted',
  idempotency: 'natural',
  params: z.object({ protocol: z.string().meta({ description: '`oidc` or `saml`.', examples: ['oidc'] }) }),
  reply: z.object({ protocol: Protocol, deleted: z.literal(true) }),
  errors: [],
})

/** The sign-in providers of an account. */
export const signInProviders = { list, putOidc, putSaml, delete: remove } as const

const Domain = z
  .object({
    id: typeId('dom'),
    domain: z.string(),
    state: z.enum(['pending', 'verified']),
    record: z
      .object({ type: z.literal('TXT'), name: z.string(), value: z.string() })
      .describe('The DNS record that proves the control of the domain.'),
    verifiedAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
  })
  .meta({ id: 'AccountDomain' })

const domainPath = '/api/v1/account/domains'
const domainById = z.object({ id: typeId('dom') })

const listDomains = operation({
  ...reads,
  id: 'accountDomains.list',
  method: 'GET',
  path: domainPath,
  summary: 'List the domains of the account',
  query: z.strictObject(listQuery),
  reply: listPage(Domain),
})

const addDomain = operation({
  ...admin,
  id: 'accountDomains.create',
  method: 'POST',
  path: domainPath,
  summary: 'Add a domain',
  description: 'Returns the DNS record to publish. Nothing changes for the domain until `verify` finds the record. At most 50 domains.',
  audit: 'account_domain.added',
  idempotency: 'keyed',
  body: z.strictObject({
    domain: z
      .string()
      .trim()
      .toLowerCase()
      .max(253)
      .regex(/^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z](?:[a-z0-9-]{0,61}[a-z0-9])$/, {
        error: 'Must be a domain such as example.com; write names with other letters in Punycode (xn--…).',
      })
      .meta({ examples: ['example.com'] }),
  }),
  reply: Domain,
  errors: ['conflict'],
})

const verifyDomain = operation({
  ...admin,
  id: 'accountDomains.verify',
  method: 'POST',
  path: `${domainPath}/{id}/verify`,
  summary: 'Verify a domain',
  description:
    'Looks the DNS record up. From then on the people with an address in exactly this domain (not in its subdomains) find the sign-in provider of the account. A domain is verified for one account at a time.',
  audit: 'account_domain.verified',
  idempotency: 'keyed',
  transaction: 'own',
  params: domainById,
  reply: Domain,
  errors: ['domain_unverified', 'conflict'],
})

const removeDomain = operation({
  ...admin,
  id: 'accountDomains.delete',
  method: 'DELETE',
  path: `${domainPath}/{id}`,
  summary: 'Remove a domain',
  description: 'Users stay. New users with an address in it are no longer created at sign-in.',
  audit: 'account_domain.deleted',
  idempotency: 'natural',
  params: domainById,
  reply: z.object({ id: typeId('dom'), deleted: z.literal(true) }),
  errors: [],
})

/** The domains that an account controls. */
export const accountDomains = { list: listDomains, create: addDomain, verify: verifyDomain, delete: removeDomain } as const
