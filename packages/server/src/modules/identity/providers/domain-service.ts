import { Fault } from '@millrace/contract'
import type { Executor } from '#modules/identity/store.ts'
import { countDomains, deleteDomain, findDomain, insertDomain, listDomains, markVerified } from './domain-store.ts'
import type { AccountDomain } from './model.ts'
import { lockAccount } from './provider-store.ts'

export interface DomainServiceDeps {
  /** The system pool: whether another account has a domain is seen across accounts. */
  readonly db: Executor
  /** The TXT records of a name, each with its parts; rejects without any. */
  readonly resolveTxt: (name: string) => Promise<readonly (readonly string[])[]>
  readonly now: () => Date
  readonly newId: () => string
  readonly randomBytes: (size: number) => Buffer
}

/** The domains of accounts. */
export interface DomainService {
  list(
    tx: Executor,
    accountId: string,
    page: { readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly AccountDomain[]>
  add(tx: Executor, accountId: string, domain: string): Promise<AccountDomain>
  verify(accountId: string, id: string): Promise<AccountDomain>
  /** @returns the name of the domain. */
  remove(tx: Executor, accountId: string, id: string): Promise<string>
}

const domainsMax = 50

export function createDomainService({ db, resolveTxt, now, newId, randomBytes }: DomainServiceDeps): DomainService {
  return {
    list: listDomains,
    async add(tx, accountId, name) {
      await lockAccount(tx, accountId)
      if ((await countDomains(tx, accountId)) >= domainsMax)
        throw new Fault('conflict', { detail: `The account has ${domainsMax} domains, which is the limit. Remove one first.` })
      const token = randomBytes(24).toString('base64url')
      const domain: AccountDomain = { id: newId(), domain: name, token, verifiedAt: undefined, createdAt: now() }
      if (!(await insertDomain(tx, accountId, domain)))
        throw new Fault('conflict', { detail: `The account has the domain ${name} already.` })
      return domain
    },
    async verify(accountId, id) {
      const domain = await findDomain(db, accountId, id)
      if (domain === undefined) throw new Fault('not_found')
      const { name, value } = recordOf(domain)
      const records = await resolveTxt(name).catch(() => [])
      if (!records.some((parts) => parts.join('') === value)) {
        const found = records.length === 0 ? 'no TXT record' : `${records.length} TXT records, without this value`
        throw new Fault('domain_unverified', {
          detail: `${name} has ${found}. Publish a TXT record with the value ${value}, wait until it is visible, and repeat the request.`,
        })
      }
      if (!(await markVerified(db, accountId, id, now())))
        throw new Fault('conflict', {
          detail: `Another account has verified the domain ${domain.domain}. It has to remove the domain first.`,
        })
      return (await findDomain(db, accountId, id)) ?? domain
    },
    async remove(tx, accountId, id) {
      const domain = await deleteDomain(tx, accountId, id)
      if (domain === undefined) throw new Fault('not_found')
      return domain
    },
  }
}

/** The DNS record that proves the control of a domain. */
export function recordOf({ domain, token }: Pick<AccountDomain, 'domain' | 'token'>) {
  return { type: 'TXT' as const, name: `_millrace.${domain}`, value: `millrace-domain-verification=${token}` }
}
