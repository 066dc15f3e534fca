import { type accountDomains, Fault, type Reply, type signInProviders } from '@millrace/contract'
import { X509Certificate } from 'node:crypto'
import { type HandlersFor, withPreparation } from '#platform/http/index.ts'
import { idOf, toTypeId } from '#platform/ids.ts'
import { decodeId, encodeCursor, pageOf } from '#platform/paging/cursor.ts'
import { type DomainService, recordOf } from './domain-service.ts'
import type { AccountDomain, SignInProvider } from './model.ts'
import type { ProviderService } from './provider-service.ts'

export interface ProviderHandlersDeps {
  readonly service: ProviderService
  /** The URL to register at a provider. */
  readonly callbackUrlOf: (protocol: SignInProvider['protocol']) => string
}

/** Handlers of the group `signInProviders`. */
export function signInProviderHandlers({ service, callbackUrlOf }: ProviderHandlersDeps): HandlersFor<typeof signInProviders> {
  const view = (provider: SignInProvider) => providerView(provider, callbackUrlOf(provider.protocol))
  return {
    async list(ctx, { query }) {
      const before = decodeId(query.cursor)
      const all = await service.list(ctx.tx, ctx.accountId)
      const found = all.filter(({ id }) => before === undefined || id < before).slice(0, query.limit + 1)
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      return { data: data.map(view), nextCursor }
    },
    putOidc: withPreparation(
      async (_ctx, { body: { issuer, clientId, clientSecret, scopes } }) =>
        service.assertReachable({ issuer, clientId, clientSecret, scopes }),
      async (ctx, { body: { clientSecret, roleClaim, ...rest } }) => {
        const provider = await service.putOidc(ctx.tx, ctx.accountId, { ...rest, clientSecret, roleClaim })
        ctx.audit({ details: { protocol: 'oidc', issuer: provider.issuer, provision: provider.provision } })
        return view(provider)
      },
    ),
    async putSaml(ctx, { body: { emailAttribute, roleClaim, ...rest } }) {
      const provider = await service.putSaml(ctx.tx, ctx.accountId, { ...rest, emailAttribute, roleClaim }, ctx.role)
      ctx.audit({ details: { protocol: 'saml', issuer: provider.issuer, provision: provider.provision } })
      return view(provider)
    },
    async delete(ctx, { params }) {
      const { protocol } = params
      if (protocol !== 'oidc' && protocol !== 'saml') throw new Fault('not_found')
      await service.remove(ctx.tx, ctx.accountId, protocol)
      ctx.audit({ details: { protocol } })
      return { protocol, deleted: true }
    },
  }
}

/** Handlers of the group `accountDomains`. */
export function accountDomainHandlers(service: DomainService): HandlersFor<typeof accountDomains> {
  return {
    async list(ctx, { query }) {
      const found = await service.list(ctx.tx, ctx.accountId, { before: decodeId(query.cursor), limit: query.limit + 1 })
      const { data, nextCursor } = pageOf(found, query.limit, (last) => encodeCursor([last.id]))
      return { data: data.map(domainView), nextCursor }
    },
    async create(ctx, { body }) {
      const domain = await service.add(ctx.tx, ctx.accountId, body.domain)
      ctx.audit({ target: toTypeId('dom', domain.id), details: { domain: domain.domain } })
      return domainView(domain)
    },
    async verify(ctx, { params }) {
      const domain = await service.verify(ctx.accountId, idOf('dom', params.id))
      ctx.audit({ target: params.id, details: { domain: domain.domain } })
      return domainView(domain)
    },
    async delete(ctx, { params }) {
      const domain = await service.remove(ctx.tx, ctx.accountId, idOf('dom', params.id))
      ctx.audit({ target: params.id, details: { domain } })
      return { id: params.id, deleted: true }
    },
  }
}

function providerView(provider: SignInProvider, callbackUrl: string): Reply<typeof signInProviders.putOidc> {
  const { protocol, name, issuer, provision, defaultRole, roleClaim = null, roles, createdAt, updatedAt } = provider
  const oidc = protocol === 'oidc' ? provider : undefined
  const saml = protocol === 'saml' ? provider : undefined
  return {
    protocol,
    name,
    issuer,
    clientId: oidc?.clientId ?? null,
    scopes: oidc === undefined ? null : [...oidc.scopes],
    signInUrl: saml?.signInUrl ?? null,
    certificatesValidUntil: saml?.certificates.map(validUntil) ?? null,
    callbackUrl,
    provision,
    defaultRole,
    roleClaim,
    roles: { ...roles },
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
  }
}

function validUntil(certificate: string): string {
  return new Date(new X509Certificate(Buffer.from(certificate, 'base64')).validTo).toISOString()
}

function domainView(domain: AccountDomain): Reply<typeof accountDomains.create> {
  const { id, domain: name, verifiedAt, createdAt } = domain
  return {
    id: toTypeId('dom', id),
    domain: name,
    state: verifiedAt === undefined ? 'pending' : 'verified',
    record: recordOf(domain),
    verifiedAt: verifiedAt?.toISOString() ?? null,
    createdAt: createdAt.toISOString(),
  }
}
