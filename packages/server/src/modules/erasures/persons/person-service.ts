import { needlesOf } from '#modules/erasures/needles.ts'
import { findPerson, type FindPersonDeps, type PersonSearch } from './find-person.ts'

export interface PersonsDeps extends FindPersonDeps {
  readonly newId: () => string
}

export interface PersonRequest extends Pick<PersonSearch, 'includesForms' | 'limit'> {
  readonly values: readonly string[]
}

export type Persons = ReturnType<typeof createPersons>

const findMsMax = 20_000

/** Finds the data of persons. */
export function createPersons({ newId, ...deps }: PersonsDeps) {
  return {
    /** What an erasure of the values would touch now. Fault `overloaded` if the search takes too long. */
    find: (accountId: string, { values, ...request }: PersonRequest, signal: AbortSignal) =>
      findPerson(
        deps,
        { ...request, accountId, needles: needlesOf(values, newId()) },
        AbortSignal.any([signal, AbortSignal.timeout(findMsMax)]),
      ),
  }
}
