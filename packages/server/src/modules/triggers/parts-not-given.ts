import {
  anyInput,
  type GivenInput,
  type InputRead,
  inputWith,
  knownInput,
  mappedInput,
  mappingsBudget,
  notGiven,
  readsNotGiven,
} from '@millrace/dsl'
import { findInputReads } from '#modules/workflows/index.ts'
import type { Tx } from '#platform/http/index.ts'
import type { Trigger } from './model.ts'

type Giving = Pick<Trigger, 'id' | 'workflowId' | 'kind' | 'origin' | 'input' | 'mapping' | 'webhook' | 'on'>

/** The parts of the inputs of their workflows that triggers certainly do not give, by the id of the trigger. */
export async function partsNotGiven(
  tx: Tx,
  accountId: string,
  triggers: readonly Giving[],
): Promise<ReadonlyMap<string, readonly InputRead[]>> {
  const reads = await findInputReads(tx, accountId, [...new Set(triggers.map(({ workflowId }) => workflowId))])
  const budget = mappingsBudget()
  return new Map(
    triggers.map((trigger) => {
      const read = reads.get(trigger.workflowId) ?? []
      return [trigger.id, readsNotGiven(read, givenBy(trigger, read, budget))]
    }),
  )
}

/** What is known of the inputs that a trigger gives. */
function givenBy(trigger: Giving, reads: readonly InputRead[], budget: ReturnType<typeof mappingsBudget>): GivenInput {
  const { kind, origin, input, mapping, on } = trigger
  if (on !== undefined) return anyInput
  const cause = causeOf(trigger)
  if (mapping !== undefined) {
    const dot = inputWith({ ...cause.members, input: knownInput(input ?? null) }, cause.isWhole)
    return mappedInput(mapping, dot, budget) ?? anyInput
  }
  if (kind === 'event') return eventFor(reads)
  if (kind !== 'webhook' && kind !== 'watch' && (input !== undefined || origin === 'definition')) return knownInput(input ?? {})
  return inputWith(cause.members, cause.isWhole)
}

interface Cause {
  readonly members: Readonly<Record<string, GivenInput>>
  /** Whether it has no other members. */
  readonly isWhole: boolean
}

/** What a request, a due time or another cause has. */
function causeOf({ kind, webhook }: Giving): Cause {
  // A form sends the input itself.
  if (kind === 'webhook' && webhook?.form === undefined) {
    const names = [
      'method',
      'headers',
      'query',
      'body',
      'contentType',
      'deliveryId',
      'receivedAt',
      ...(webhook?.rawBody === true ? ['rawBody'] : []),
    ]
    return { members: { ...anyOf(names), body: bodyOfRequest }, isWhole: true }
  }
  if (kind === 'schedule') return { members: anyOf(['dueAt', 'localTime', 'timeZone', 'firedAt']), isWhole: true }
  if (kind === 'watch') return { members: anyOf(['watch', 'item']), isWhole: true }
  return { members: {}, isWhole: false }
}

/** A workflow that reads `body.email` means the body of the request: where a body has a member of such a name itself, that is a text. */
const bodyOfRequest = inputWith({ body: knownInput(''), headers: knownInput(''), query: knownInput('') }, false)

function anyOf(names: readonly string[]): Cause['members'] {
  return Object.fromEntries(names.map((name) => [name, anyInput]))
}

/** Of an event it is known that its attributes have names of small letters and digits, whatever extensions it has. */
function eventFor(reads: readonly InputRead[]): GivenInput {
  const names = reads.flatMap(({ path }) => /^[A-Za-z_]\w*/.exec(path)?.[0] ?? [])
  const impossible = names.filter((name) => !/^[a-z0-9]+$/.test(name))
  return inputWith(Object.fromEntries(impossible.map((name) => [name, notGiven])), false)
}
