import { sql } from 'kysely'
import type { Executor } from '#modules/identity/store.ts'
import type { AccountDomain } from './model.ts'

interface DomainRow {
  readonly id: string
  readonly domain: string
  readonly token: string
  readonly verified_at: Date | null
  readonly created_at: Date
}

const columns = sql`id, domain, token, verified_at, created_at`

export async function listDomains(
  tx: Executor,
  accountId: string,
  { before, limit }: { readonly before: string | undefined; readonly limit: number },
): Promise<readonly AccountDomain[]> {
  const { rows } = await sql<DomainRow>`
    select ${columns} from account_domains
    where account_id = ${accountId} ${before === undefined ? sql`` : sql`and id < ${before}`} order by id desc limit ${limit}`.execute(tx)
  return rows.map(domainOf)
}

export async function findDomain(tx: Executor, accountId: string, id: string): Promise<AccountDomain | undefined> {
  const { rows } = await sql<DomainRow>`select ${columns} from account_domains where account_id = ${accountId} and id = ${id}`.execute(tx)
  return rows[0] === undefined ? undefined : domainOf(rows[0])
}

/** Inserts a domain; false when the account has it already. */
export async function insertDomain(tx: Executor, accountId: string, domain: AccountDomain): Promise<boolean> {
  const { rows } = await sql`
    insert into account_domains (id, account_id, domain, token, created_at)
    values (${domain.id}, ${accountId}, ${domain.domain}, ${domain.token}, ${domain.createdAt})
    on conflict on constraint account_domains_domain_unique do nothing returning 1`.execute(tx)
  return rows.length === 1
}

export async function countDomains(tx: Executor, accountId: string): Promise<number> {
  const { rows } = await sql<{ readonly count: number }>`
    select count(*)::int as count from account_domains where account_id = ${accountId}`.execute(tx)
  return rows[0]?.count ?? 0
}

/** Marks a domain as verified; false when another account has it. */
export async function markVerified(db: Executor, accountId: string, id: string, at: Date): Promise<boolean> {
  const { rows } = await sql`
    update account_domains d set verified_at = coalesce(d.verified_at, ${at})
    where d.account_id = ${accountId} and d.id = ${id}
      and not exists (
        select from account_domains o where o.domain = d.domain and o.verified_at is not null and o.account_id <> d.account_id)
    returning 1`.execute(db)
  return rows.length === 1
}

/** @returns its name. */
export async function deleteDomain(tx: Executor, accountId: string, id: string): Promise<string | undefined> {
  const { rows } = await sql<{ readonly domain: string }>`
    delete from account_domains where account_id = ${accountId} and id = ${id} returning domain`.execute(tx)
  return rows[0]?.domain
}

export async function hasVerifiedDomain(db: Executor, accountId: string, domain: string): Promise<boolean> {
  const { rows } = await sql`
    select from account_domains where account_id = ${accountId} and domain = ${domain} and verified_at is not null`.execute(db)
  return rows.length === 1
}

function domainOf(row: DomainRow): AccountDomain {
  const { id, domain, token } = row
  return { id, domain, token, verifiedAt: row.verified_at ?? undefined, createdAt: row.created_at }
}
