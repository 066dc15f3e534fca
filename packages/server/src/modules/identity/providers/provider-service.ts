import { Fault, type Role } from '@millrace/contract'
import type { SecretBox } from '#platform/auth/secret-box.ts'
import type { OidcClient } from '#modules/identity/external/oidc-client.ts'
import type { OidcSettings } from '#modules/identity/external/model.ts'
import { SamlRefusal } from '#modules/identity/external/saml-document.ts'
import type { Executor } from '#modules/identity/store.ts'
import type { Provisioning, SignInProvider } from './model.ts'
import { deleteProvider, hasOwnerIdentity, listProviders, lockAccount, lockProvider, saveProvider } from './provider-store.ts'
import { readSamlMetadata } from './saml-metadata.ts'

export interface ProviderServiceDeps {
  readonly oidc: Pick<OidcClient, 'discover'>
  readonly box: SecretBox
  readonly now: () => Date
  readonly newId: () => string
}

export interface OidcChange extends OidcSettings, Provisioning {
  readonly name: string
}

export interface SamlChange extends Provisioning {
  readonly name: string
  readonly metadata: string
  readonly emailAttribute: string | undefined
}

/** The sign-in providers of accounts. */
export interface ProviderService {
  list(tx: Executor, accountId: string): Promise<readonly SignInProvider[]>
  /** Reads the configuration of a provider over the network, before the transaction. */
  assertReachable(settings: OidcSettings): Promise<void>
  putOidc(tx: Executor, accountId: string, change: OidcChange): Promise<SignInProvider>
  /** Only an owner may change the certificates of a provider by which an owner signs in: with them one signs in as that owner. */
  putSaml(tx: Executor, accountId: string, change: SamlChange, role: Role): Promise<SignInProvider>
  remove(tx: Executor, accountId: string, protocol: SignInProvider['protocol']): Promise<void>
  /** The client secret in clear text. */
  clientSecretOf(provider: SignInProvider): string | undefined
}

export function createProviderService({ oidc, box, now, newId }: ProviderServiceDeps): ProviderService {
  /** The row that a change replaces. With another issuer or client it is deleted first, with its identities: their subjects mean other people. */
  async function replaced(tx: Executor, accountId: string, protocol: SignInProvider['protocol'], isSame: (old: SignInProvider) => boolean) {
    await lockAccount(tx, accountId)
    const old = await lockProvider(tx, accountId, protocol)
    if (old === undefined || isSame(old)) return old
    await deleteProvider(tx, accountId, protocol)
    return undefined
  }

  const baseOf = (accountId: string, old: SignInProvider | undefined) => {
    const at = now()
    return { id: old?.id ?? newId(), accountId, createdAt: old?.createdAt ?? at, updatedAt: at }
  }

  return {
    list: listProviders,
    async assertReachable(settings) {
      await oidc.discover(settings).catch((error: unknown) => {
        if (error instanceof Fault && error.code === 'sign_in_provider_unavailable') throw invalid('/issuer', error.message)
        throw error
      })
    },
    async putOidc(tx, accountId, { name, issuer, clientId, clientSecret, scopes, ...provisioning }) {
      const old = await replaced(
        tx,
        accountId,
        'oidc',
        (found) => found.protocol === 'oidc' && found.issuer === issuer && found.clientId === clientId,
      )
      const base = baseOf(accountId, old)
      const kept = old?.protocol === 'oidc' ? old.clientSecret : undefined
      const sealed = clientSecret === undefined ? kept : box.seal(Buffer.from(clientSecret), base.id)
      const provider: SignInProvider = { ...base, ...provisioning, protocol: 'oidc', name, issuer, clientId, scopes, clientSecret: sealed }
      await saveProvider(tx, provider)
      return provider
    },
    async putSaml(tx, accountId, { name, metadata, emailAttribute, ...provisioning }, role) {
      const read = samlMetadataOf(metadata)
      const old = await replaced(tx, accountId, 'saml', ({ issuer }) => issuer === read.issuer)
      const isTrusted = old?.protocol !== 'saml' || read.certificates.every((certificate) => old.certificates.includes(certificate))
      if (!isTrusted && role !== 'owner' && (await hasOwnerIdentity(tx, accountId, old.id)))
        throw new Fault('forbidden', { detail: 'An owner signs in by this provider, so only an owner can change its certificates.' })
      const provider: SignInProvider = { ...baseOf(accountId, old), ...provisioning, ...read, protocol: 'saml', name, emailAttribute }
      await saveProvider(tx, provider)
      return provider
    },
    async remove(tx, accountId, protocol) {
      if (!(await deleteProvider(tx, accountId, protocol))) throw new Fault('not_found')
    },
    clientSecretOf(provider) {
      if (provider.protocol !== 'oidc' || provider.clientSecret === undefined) return undefined
      const secret = box.open(provider.clientSecret, provider.id)
      if (secret === undefined)
        throw new Fault('sign_in_provider_unavailable', {
          detail: 'The secret key of the installation has changed. An administrator has to enter the client secret again.',
        })
      return secret.toString('utf8')
    },
  }
}

function samlMetadataOf(metadata: string) {
  try {
    return readSamlMetadata(metadata)
  } catch (error) {
    if (error instanceof SamlRefusal) throw invalid('/metadata', `Cannot be used: ${error.message}.`)
    throw error
  }
}

function invalid(pointer: string, detail: string): Fault {
  return new Fault('sign_in_provider_invalid', { errors: [{ pointer, detail }] })
}
