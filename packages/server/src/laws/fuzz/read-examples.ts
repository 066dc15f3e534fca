import type { Call } from '#laws/calls.ts'
import { proofOf } from '#laws/areas/public-forms.ts'
import { exerciseOperations } from '#laws/exercise-operations.ts'
import type { LawServer } from '#laws/operation-laws.ts'
import { createTwoAccounts } from '#laws/two-accounts.ts'

/** Parts of a valid request for each operation, by its id. The description does not say what an operation demands beyond the form of a request. */
export type Examples = ReadonlyMap<string, Call>

const publicForms = ['contact.send', 'leads.contact', 'leads.demo', 'leads.newsletter']

export async function readExamples({ url, database }: LawServer): Promise<Examples> {
  const examples = new Map<string, Call>()
  const { owner } = await createTwoAccounts(url, database.system)
  await exerciseOperations(url, owner.token, database.system, (op, parts) => {
    if (!examples.has(op.id)) examples.set(op.id, parts)
  })
  // Each proof of work is accepted once.
  for (const id of publicForms) {
    const { body } = examples.get(id) ?? {}
    if (typeof body === 'object' && body !== null) examples.set(id, { body: { ...body, proof: await proofOf(url) } })
  }
  return examples
}
