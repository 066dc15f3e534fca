import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'
import type { ProvisionedRole, SignInProvider } from './model.ts'

interface ProviderRow {
  readonly id: string
  readonly account_id: string
  readonly protocol: SignInProvider['protocol']
  readonly name: string
  readonly issuer: string
  readonly client_id: string | null
  readonly client_secret: Buffer | null
  readonly scopes: readonly string[] | null
  readonly sign_in_url: string | null
  readonly certificates: readonly string[] | null
  readonly email_attribute: string | null
  readonly provision: boolean
  readonly default_role: ProvisionedRole
  readonly role_claim: string | null
  readonly roles: string
  readonly created_at: Date
  readonly updated_at: Date
}

const columns = sql`p.id, p.account_id, p.protocol, p.name, p.issuer, p.client_id, p.client_secret, p.scopes, p.sign_in_url, p.certificates,
  p.email_attribute, p.provision, p.default_role, p.role_claim, p.roles::text as roles, p.created_at, p.updated_at`

export async function listProviders(tx: Executor, accountId: string): Promise<readonly SignInProvider[]> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_providers p where p.account_id = ${accountId} order by p.id desc`.execute(tx)
  return rows.map(providerOf)
}

/** Finds a provider and locks it until the transaction ends. */
export async function lockProvider(
  tx: Executor,
  accountId: string,
  protocol: SignInProvider['protocol'],
): Promise<SignInProvider | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_providers p where p.account_id = ${accountId} and p.protocol = ${protocol} for update`.execute(tx)
  return rows[0] === undefined ? undefined : providerOf(rows[0])
}

export async function findProvider(db: Executor, accountId: string, id: string): Promise<SignInProvider | undefined> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_providers p where p.account_id = ${accountId} and p.id = ${id}`.execute(db)
  return rows[0] === undefined ? undefined : providerOf(rows[0])
}

/** The providers of the account that has verified a domain. Across accounts: a person who signs in has no account yet. */
export async function providersOfDomain(db: Executor, domain: string): Promise<readonly SignInProvider[]> {
  const { rows } = await sql<ProviderRow>`
    select ${columns} from sign_in_providers p join account_domains d on d.account_id = p.account_id
    where d.domain = ${domain} and d.verified_at is not null`.execute(db)
  return rows.map(providerOf)
}

/** Inserts a provider, or replaces the one with its id. */
export async function saveProvider(tx: Executor, provider: SignInProvider): Promise<void> {
  const oidc = provider.protocol === 'oidc' ? provider : undefined
  const saml = provider.protocol === 'saml' ? provider : undefined
  await sql`
    insert into sign_in_providers (id, account_id, protocol, name, issuer, client_id, client_secret, scopes, sign_in_url, certificates,
      email_attribute, provision, default_role, role_claim, roles, created_at, updated_at)
    values (${provider.id}, ${provider.accountId}, ${provider.protocol}, ${provider.name}, ${provider.issuer}, ${oidc?.clientId ?? null},
      ${oidc?.clientSecret ?? null}, ${oidc?.scopes ?? null}, ${saml?.signInUrl ?? null}, ${saml?.certificates ?? null},
      ${saml?.emailAttribute ?? null}, ${provider.provision}, ${provider.defaultRole}, ${provider.roleClaim ?? null},
      ${JSON.stringify(provider.roles)}::jsonb, ${provider.createdAt}, ${provider.updatedAt})
    on conflict (id) do update set name = excluded.name, client_secret = excluded.client_secret, scopes = excluded.scopes,
      sign_in_url = excluded.sign_in_url, certificates = excluded.certificates, email_attribute = excluded.email_attribute,
      provision = excluded.provision, default_role = excluded.default_role, role_claim = excluded.role_claim, roles = excluded.roles,
      updated_at = excluded.updated_at`.execute(tx)
}

export async function deleteProvider(tx: Executor, accountId: string, protocol: SignInProvider['protocol']): Promise<boolean> {
  const { rows } = await sql`
    delete from sign_in_providers where account_id = ${accountId} and protocol = ${protocol} returning 1`.execute(tx)
  return rows.length === 1
}

/** Whether an owner signs in by a provider. */
export async function hasOwnerIdentity(tx: Executor, accountId: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    select from identities i join users u on u.account_id = i.account_id and u.id = i.user_id
    where i.account_id = ${accountId} and i.sign_in_provider_id = ${id} and u.role = 'owner' limit 1`.execute(tx)
  return rows.length > 0
}

/** Locks the account, so that two requests cannot both add its provider of a protocol, or its last domain. */
export async function lockAccount(tx: Executor, accountId: string): Promise<void> {
  await sql`select from accounts where id = ${accountId} for no key update`.execute(tx)
}

function providerOf(row: ProviderRow): SignInProvider {
  const base = {
    id: row.id,
    accountId: row.account_id,
    name: row.name,
    issuer: row.issuer,
    provision: row.provision,
    defaultRole: row.default_role,
    roleClaim: row.role_claim ?? undefined,
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- The column contains only what saveProvider wrote.
    roles: JSON.parse(row.roles) as Readonly<Record<string, ProvisionedRole>>,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
  if (row.protocol === 'oidc')
    return {
      ...base,
      protocol: 'oidc',
      clientId: row.client_id ?? '',
      clientSecret: row.client_secret ?? undefined,
      scopes: row.scopes ?? [],
    }
  const { sign_in_url: signInUrl, certificates, email_attribute: emailAttribute } = row
  return {
    ...base,
    protocol: 'saml',
    signInUrl: signInUrl ?? '',
    certificates: certificates ?? [],
    emailAttribute: emailAttribute ?? undefined,
  }
}
