import type { Json } from '@millrace/engine'
import { findInput, findOrigins, type Origin, type TriggerKind } from '@millrace/engine/storage'
import type { Tx } from '#platform/db/database.ts'
import { findByNames } from './account-file-store.ts'
import type { AccountFile } from './model.ts'

/** What decides whether a file belongs to an execution. */
export interface FileContext {
  readonly executionId: string
  /** The origins of the execution, and those of the executions to which the files belong. */
  readonly origins: readonly Origin[]
  /** Whether the input of an execution has the name of a file. */
  readonly isInInput: (executionId: string, name: string) => boolean
}

/** Of one answer. */
export const shownMax = 100

interface Question {
  readonly executionId: string
  readonly names: readonly string[]
  readonly at: Date
  /** The input of the execution, if it has been read. */
  readonly input?: Json
}

/** Executions from which one descends that are looked at, the nearest first: an input may be large. */
const originsMax = 20

/** The files of these names that belong to an execution, in the order of the names. */
export async function filesOfExecution(tx: Tx, accountId: string, question: Question): Promise<readonly AccountFile[]> {
  const { executionId, names, at } = question
  const found = await findByNames(tx, accountId, names, at)
  if (found.length === 0) return []
  const writers = found.flatMap((file) => file.executionId ?? [])
  const origins = await findOrigins(tx, accountId, [...new Set([executionId, ...writers])], originsMax)
  const wanted = new Set(found.map(({ name }) => name))
  const own = origins.filter(({ of }) => of === executionId)
  const inInputs = new Map<string, ReadonlySet<string>>()
  const inputOf = async (id: string) =>
    id === executionId && question.input !== undefined ? question.input : parsed((await findInput(tx, accountId, id)) ?? 'null')
  for (const { id } of own) inInputs.set(id, textsIn(await inputOf(id), wanted))
  const isInInput = (id: string, name: string) => inInputs.get(id)?.has(name) === true
  const callersOf = Map.groupBy(origins, ({ of }) => of)
  const byName = new Map(
    found.flatMap((file) => {
      const ofWriter = file.executionId === undefined || file.executionId === executionId ? [] : (callersOf.get(file.executionId) ?? [])
      return belongsTo(file, { executionId, origins: [...own, ...ofWriter], isInInput }) ? [[file.name, file] as const] : []
    }),
  )
  return names.flatMap((name) => byName.get(name) ?? [])
}

/** Which of the wanted texts a value has, as a value or as a name of a member. */
function textsIn(value: Json, wanted: ReadonlySet<string>): ReadonlySet<string> {
  const found = new Set<string>()
  const left: Json[] = [value]
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (typeof next === 'string') {
      if (wanted.has(next)) found.add(next)
    } else if (next !== null && typeof next === 'object') {
      if (!Array.isArray(next)) for (const key of Object.keys(next)) if (wanted.has(key)) found.add(key)
      for (const inner of Object.values(next)) left.push(inner ?? null)
    }
  }
  return found
}

/** A column of the type json. */
export function parsed(text: string): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- Such a column contains valid JSON.
  return JSON.parse(text) as Json
}

/**
 * Whether a file belongs to an execution. That its data name the file is not enough: who fills in a form, starts a workflow or calls it could name any file of
 * the account. The file was sent with the start of the execution, or was written by it, by an execution that it called, or by the user or API key that started
 * it with this file. A file of an execution that called it has to be passed on in its input.
 */
export function belongsTo(file: Pick<AccountFile, 'name' | 'writtenBy' | 'executionId'>, context: FileContext): boolean {
  const { executionId, origins, isInInput } = context
  const { name, writtenBy, executionId: writer } = file
  const all = origins.filter(({ of }) => of === executionId)
  const own = new Set(all.flatMap(({ id, isCaller }) => (isCaller ? [] : id)))
  if (writer !== undefined && own.has(writer)) return true
  if (origins.some(({ of, id, isCaller }) => of === writer && isCaller && own.has(id))) return true
  const isPassedOn = [...own].some((id) => isInInput(id, name))
  if (!isPassedOn) return false
  if (writer !== undefined) return all.some(({ id, isCaller }) => isCaller && id === writer)
  return all.some((origin) => origin.actor === writtenBy && isNamedByActor(name, origin, { ...context, origins: all }))
}

/** What starts an execution with the input of its actor. All others start it with data that someone else sent or wrote. */
const direct: ReadonlySet<TriggerKind> = new Set(['manual', 'chain'])

/** Whether it was the actor of an origin who wrote a name in its input. A retry repeats the input of others: only what none of them had is of its actor. */
function isNamedByActor(name: string, { id, trigger, retryOf }: Origin, { origins, isInInput }: FileContext): boolean {
  if (!isInInput(id, name)) return false
  if (retryOf === undefined) return direct.has(trigger)
  for (let earlier: string | undefined = retryOf; earlier !== undefined; ) {
    const retried = origins.find((origin) => origin.id === earlier)
    if (retried === undefined || isInInput(retried.id, name)) return false
    earlier = retried.retryOf
  }
  return true
}
