import * as z from 'zod'
import { typeId } from '#src/ids.ts'
import { listPage, listQuery } from '#src/list.ts'
import { operation } from '#src/operation.ts'
import { SessionDelivery, SignInReply } from './auth-schemas.ts'

const providers = ['loginone', 'logintwo', 'oidc', 'saml'] as const

const Provider = z.enum(providers).meta({
  description: '`loginone` and `logintwo`: the sign-in providers of the installation. `oidc` and `saml`: the provider of the account.',
  examples: ['loginone'],
})

const startQuery = {
  returnTo: z
    .string()
    .max(2048)
    .optional()
    .describe(
      'Where the browser continues after the sign-in: a path of this installation, or a URL whose origin is in `MILLRACE_CORS_ORIGINS`. The one-time code is appended as `#code=…`.',
    ),
  challenge: z
    .string()
    .regex(/^[\w-]{43}$/, { error: 'Must be the SHA-256 of a verifier in base64url (43 characters), as the S256 of RFC 7636.' })
    .optional()
    .describe(
      'For programs without cookies: SHA-256 of a random verifier, in base64url. `exchange` then asks for the verifier. Without it a cookie binds the sign-in to the browser.',
    ),
}

const Started = z
  .object({
    authorizationUrl: z.string().describe('Open it in the browser: the provider signs the person in there.'),
    provider: Provider,
    expiresAt: z.iso.datetime().describe('Until then the provider may return the browser.'),
  })
  .meta({ id: 'ExternalSignInStarted' })

const Returned = z
  .object({
    code: z.string().describe('One-time code for `/api/v1/auth/exchange`.'),
    expiresAt: z.iso.datetime().describe('60 seconds later.'),
    returnTo: z.string().describe('Where a browser continues.'),
  })
  .meta({ id: 'ExternalSignInReturned' })

const page =
  'A program gets JSON. A browser that navigates (`Accept: text/html`) gets a page, also with status 200, that continues at once by itself and shows a link.'

const authorizationResponse = {
  state: z.string().min(1).max(512).describe('As the provider returns it.'),
  code: z.string().min(1).max(8192).optional(),
  iss: z.string().max(2048).optional().describe('Issuer, as RFC 9207 requires of providers that announce it.'),
  error: z.string().max(200).optional().describe('Why the provider refused the sign-in.'),
  error_description: z.string().max(4096).optional(),
}

const base = { stability: 'stable', auth: 'public', rateLimit: 'auth', audit: 'none' } as const
const starts = {
  ...base,
  method: 'GET',
  idempotency: 'natural',
  reply: Started,
  otherMedia: 'text/html',
  errors: ['sign_in_provider_unavailable'],
} as const
const returns = {
  ...base,
  unknownInput: 'ignored',
  reply: Returned,
  otherMedia: 'text/html',
  errors: ['external_sign_in_failed', 'sign_in_provider_unavailable'],
} as const
const startText = `Begins a sign-in with OpenID Connect (authorization code, PKCE, state, nonce). ${page}`
const returnText = `The provider returns the browser to this operation. It checks the response and returns a one-time code, which \`exchange\` turns into tokens in the browser that began. Nothing is signed in, created or linked before that. Parameters that it does not know are ignored (RFC 6749, section 4.1.2). ${page}`

const loginOne = operation({
  ...starts,
  id: 'auth.loginOne',
  path: '/api/v1/auth/loginone',
  summary: 'Sign in with the first provider of the installation',
  description: `${startText} This provider responds by a form that the browser posts (\`response_mode=form_post\`).`,
  flag: 'isLoginOneEnabled',
  query: z.strictObject(startQuery),
})

const loginOneCallback = operation({
  ...returns,
  id: 'auth.loginOneCallback',
  method: 'POST',
  path: '/api/v1/auth/loginone/callback',
  summary: 'Return from the first provider',
  description: returnText,
  flag: 'isLoginOneEnabled',
  idempotency: 'keyed',
  form: true,
  bodyLimit: 64 * 1024,
  body: z.object(authorizationResponse),
})

const loginTwo = operation({
  ...starts,
  id: 'auth.loginTwo',
  path: '/api/v1/auth/logintwo',
  summary: 'Sign in with the second provider of the installation',
  description: startText,
  flag: 'isLoginTwoEnabled',
  query: z.strictObject(startQuery),
})

const loginTwoCallback = operation({
  ...returns,
  id: 'auth.loginTwoCallback',
  method: 'GET',
  path: '/api/v1/auth/logintwo/callback',
  summary: 'Return from the second provider',
  description: returnText,
  flag: 'isLoginTwoEnabled',
  idempotency: 'natural',
  query: z.object(authorizationResponse),
})

const oidcLogin = operation({
  ...starts,
  id: 'auth.oidcLogin',
  path: '/api/v1/auth/oidc/login',
  summary: 'Sign in with the provider of the account',
  description: `Finds the account by \`account\`, or by the domain of \`email\`, which an administrator has verified. Begins a sign-in with the account's own provider: by OpenID Connect, or by SAML if the account has only that. ${page}`,
  query: z.strictObject({
    ...startQuery,
    email: z
      .string()
      .min(3)
      .max(254)
      .optional()
      .describe('Address of the person; only its domain is used, and as a hint for the provider.'),
    account: typeId('acct').optional(),
    protocol: z.enum(['oidc', 'saml']).optional().describe('Which provider, if the account has both. `oidc` unless given.'),
  }),
  errors: ['sign_in_provider_unavailable', 'not_found'],
})

const oidcCallback = operation({
  ...returns,
  id: 'auth.oidcCallback',
  method: 'GET',
  path: '/api/v1/auth/oidc/callback',
  summary: 'Return from the OpenID Connect provider of the account',
  description: returnText,
  idempotency: 'natural',
  query: z.object(authorizationResponse),
})

const samlAcs = operation({
  ...returns,
  id: 'auth.samlAcs',
  method: 'POST',
  path: '/api/v1/auth/saml/acs',
  summary: 'Return from the SAML provider of the account',
  description: `The assertion consumer service (HTTP-POST binding). The response must contain exactly one signed assertion, for this installation, that responds to a sign-in begun here; each assertion is accepted once. Sign-in that the provider begins by itself is refused. ${page}`,
  idempotency: 'keyed',
  form: true,
  bodyLimit: 256 * 1024,
  body: z.object({
    SAMLResponse: z.string().min(1).describe('The response in base64.'),
    RelayState: z.string().min(1).max(512).describe('As the provider returns it.'),
  }),
})

const samlMetadata = operation({
  ...base,
  id: 'auth.samlMetadata',
  method: 'GET',
  path: '/api/v1/auth/saml/metadata',
  summary: 'Read the SAML metadata of this installation',
  description: 'What a SAML provider needs to know. `format=xml` returns the metadata document itself, for providers that load it by URL.',
  idempotency: 'natural',
  rateLimit: 'default',
  transaction: 'none',
  query: z.strictObject({ format: z.enum(['json', 'xml']).default('json') }),
  reply: z
    .object({ entityId: z.string(), acsUrl: z.string(), metadata: z.string().describe('The metadata document as XML.') })
    .meta({ id: 'SamlServiceProvider' }),
  otherMedia: 'application/samlmetadata+xml',
  errors: [],
})

const exchange = operation({
  ...base,
  id: 'auth.exchange',
  method: 'POST',
  path: '/api/v1/auth/exchange',
  summary: 'Turn the code of an external sign-in into tokens',
  description:
    'Only the browser that began the sign-in can do it, by its cookie or by `verifier`. The code is valid for 60 seconds and for one attempt. The first sign-in of a person creates the user; an external sign-in never takes over an existing user with the same address: sign in to that user and link the provider there.',
  audit: 'session.opened',
  idempotency: 'keyed',
  body: z.strictObject({
    code: z.string().min(1).max(200),
    verifier: z
      .string()
      .min(43)
      .max(128)
      .optional()
      .describe('The random text whose `challenge` was given at the start; without it the cookie counts.'),
    session: SessionDelivery,
  }),
  reply: SignInReply,
  errors: [
    'sign_in_code_invalid',
    'external_sign_in_failed',
    'identity_not_linked',
    'identity_in_use',
    'sign_in_not_permitted',
    'quota_exceeded',
  ],
})

const Identity = z
  .object({
    provider: Provider,
    name: z.string().describe('Display name of the provider.'),
    issuer: z.string(),
    subject: z.string().describe('The id of the person at the provider.'),
    email: z.string().nullable().describe('As the provider reported it at the latest sign-in.'),
    createdAt: z.iso.datetime(),
    lastUsedAt: z.iso.datetime(),
  })
  .meta({ id: 'ExternalIdentity' })

const own = { stability: 'stable', auth: { scope: 'account:security' } } as const
const ownWithProof = { stability: 'stable', auth: { scope: 'account:security', stepUp: 'PT10M' } } as const

const identities = operation({
  ...own,
  id: 'auth.identities',
  method: 'GET',
  path: '/api/v1/auth/identities',
  summary: 'List the linked identities',
  description: 'The external identities by which the user can sign in: at most one of each provider.',
  rateLimit: 'default',
  audit: 'none',
  idempotency: 'natural',
  query: z.strictObject(listQuery),
  reply: listPage(Identity),
  errors: [],
})

const linkIdentity = operation({
  ...ownWithProof,
  id: 'auth.linkIdentity',
  auditors: true,
  method: 'POST',
  path: '/api/v1/auth/identities',
  summary: 'Link an external identity',
  description: 'Begins a sign-in whose identity is linked to the signed-in user once `exchange` is called in this browser.',
  rateLimit: 'auth',
  audit: 'identity.link_started',
  idempotency: 'keyed',
  transaction: 'own',
  body: z.strictObject({ provider: Provider, ...startQuery }),
  reply: Started,
  otherMedia: 'text/html',
  errors: ['identity_in_use', 'sign_in_provider_unavailable', 'not_found'],
})

const unlinkIdentity = operation({
  ...ownWithProof,
  id: 'auth.unlinkIdentity',
  auditors: true,
  method: 'DELETE',
  path: '/api/v1/auth/identities/{provider}',
  summary: 'Unlink an external identity',
  description: 'The user can no longer sign in with it. The last way in cannot be removed.',
  rateLimit: 'auth',
  audit: 'identity.unlinked',
  idempotency: 'natural',
  params: z.object({ provider: z.string().meta({ description: 'A provider of `identities`.', examples: ['loginone'] }) }),
  reply: z.object({ provider: Provider, unlinked: z.literal(true) }),
  errors: ['last_sign_in_method'],
})

/** Sign-in with external providers, and the identities that it links. */
export const externalAuth = {
  loginOne,
  loginOneCallback,
  loginTwo,
  loginTwoCallback,
  oidcLogin,
  oidcCallback,
  samlAcs,
  samlMetadata,
  exchange,
  identities,
  linkIdentity,
  unlinkIdentity,
} as const
