import * as z from 'zod'
import { operation } from '#src/operation.ts'
import { grantableScopes } from '#src/scopes.ts'

const Request = z.strictObject({
  response_type: z.literal('code'),
  client_id: z.string().min(1).max(500).describe('Of a client that registered, or the https address of a document that describes it.'),
  redirect_uri: z.string().min(1).max(2000),
  code_challenge: z
    .string()
    .regex(/^[\w-]{43}$/, { error: 'Must be the SHA-256 of a verifier in base64url.' })
    .meta({ description: 'Of PKCE.', examples: ['a'.repeat(43)] }),
  code_challenge_method: z.literal('S256'),
  scope: z.string().max(1000).optional().describe('Scopes with spaces between them; all that the server offers unless given.'),
  state: z.string().max(2000).optional(),
  resource: z.string().max(2000).optional().describe('The address of the MCP server.'),
})

const base = { stability: 'beta', auth: { scope: 'api-keys:manage' }, rateLimit: 'default' } as const
const path = '/api/v1/oauth/authorization'

const request = operation({
  ...base,
  id: 'oauth.request',
  method: 'GET',
  path,
  summary: 'Read what an MCP client asks for',
  description:
    'The parameters of an authorization request of OAuth 2.1, with the name of the client, for the page on which a user decides. API keys cannot call this.',
  audit: 'none',
  idempotency: 'natural',
  transaction: 'own',
  query: Request.partial().extend({
    client_id: Request.shape.client_id.default('-'),
    redirect_uri: Request.shape.redirect_uri.default('-'),
  }),
  reply: z
    .object({
      client: z.string().describe('The name that the client gave itself.'),
      clientHost: z
        .string()
        .nullable()
        .describe('The host whose document describes the client; null for a client that registered itself, which can claim any name.'),
      redirectHost: z.string().describe('Where the user returns to.'),
      scopes: z.array(z.enum(grantableScopes)),
    })
    .meta({ id: 'OAuthRequest' }),
  errors: ['insufficient_role'],
})

const decide = operation({
  ...base,
  id: 'oauth.decide',
  auditors: true,
  method: 'POST',
  path,
  summary: 'Allow or deny an MCP client',
  description:
    'With `allow`, the client gets a code with which it fetches tokens that act for this user at `/mcp` within the scopes. The access appears among the API keys, where it is revoked. API keys cannot call this.',
  audit: 'oauth.decided',
  idempotency: 'keyed',
  body: Request.extend({ allow: z.boolean() }),
  reply: z
    .object({ redirectTo: z.string().describe('Where the user returns to, with the code or the refusal.') })
    .meta({ id: 'OAuthDecision' }),
  errors: ['insufficient_role', 'conflict'],
})

/** Authorization of MCP clients. The other endpoints of OAuth are no operations; docs/mcp.md names them. */
export const oauth = { request, decide } as const
