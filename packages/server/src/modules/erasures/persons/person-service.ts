import { Fault } from '@millrace/contract'
import { needlesOf } from '#modules/erasures/needles.ts'
import { findPerson, type FindPersonDeps, type PersonSearch } from './find-person.ts'

export interface PersonsDeps extends FindPersonDeps {
  readonly newId: () => string
}

export interface PersonRequest extends Pick<PersonSearch, 'includesForms' | 'limit'> {
  readonly values: readonly string[]
}

export type Persons = ReturnType<typeof createPersons>

/** Searches at once in a process: each reads all records of an account, and other accounts need the database too. */
const searchesMax = { ofAccount: 2, ofAll: 4 } as const

/** Finds the data of persons. */
export function createPersons({ newId, ...deps }: PersonsDeps, findMsMax = 20_000) {
  const searching: string[] = []

  /** Fault `overloaded` while others search. */
  async function withSearchSlot<T>(accountId: string, search: () => Promise<T>): Promise<T> {
    const own = searching.filter((id) => id === accountId).length
    if (own >= searchesMax.ofAccount || searching.length >= searchesMax.ofAll)
      throw new Fault('overloaded', {
        detail: 'Another search for the data of a person is running. Try again once it has ended.',
        retryAfterSeconds: 5,
      })
    searching.push(accountId)
    try {
      return await search()
    } finally {
      searching.splice(searching.indexOf(accountId), 1)
    }
  }

  return {
    /** What an erasure of the values would touch now. Fault `overloaded` if the search takes too long, or others search. */
    find: (accountId: string, { values, ...request }: PersonRequest, signal: AbortSignal) =>
      withSearchSlot(accountId, () =>
        findPerson(deps, { ...request, accountId, needles: needlesOf(values, newId()) }, { signal, until: deps.now() + findMsMax }),
      ),
  }
}
