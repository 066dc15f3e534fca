import { Fault } from '@millrace/contract'
import type { SignInProvider } from '#modules/identity/providers/model.ts'
import { listProviders, providersOfDomain } from '#modules/identity/providers/provider-store.ts'
import type { Executor } from '#modules/identity/store.ts'
import { addressOf, domainOf } from './model.ts'

export interface ProviderQuery {
  readonly email?: string | undefined
  /** Uuid. */
  readonly accountId?: string | undefined
  readonly protocol?: SignInProvider['protocol'] | undefined
}

/** The provider of an account, found by the account or by the domain of an address. */
export async function findProvider(db: Executor, query: ProviderQuery): Promise<SignInProvider> {
  const { protocol } = query
  if (query.accountId === undefined && query.email === undefined)
    throw new Fault('request_invalid', { errors: [{ pointer: '/email', detail: 'Give `email` or `account`.', in: 'query' }] })
  const found = await providersOf(db, query)
  const provider =
    protocol === undefined
      ? (found.find((candidate) => candidate.protocol === 'oidc') ?? found[0])
      : found.find((candidate) => candidate.protocol === protocol)
  if (provider !== undefined) return provider
  throw new Fault('not_found', { detail: 'No account with this address or id has a sign-in provider of its own. Sign in in another way.' })
}

async function providersOf(db: Executor, { email, accountId }: ProviderQuery): Promise<readonly SignInProvider[]> {
  if (accountId !== undefined) return listProviders(db, accountId)
  const address = addressOf(email)
  return address === undefined ? [] : providersOfDomain(db, domainOf(address))
}
