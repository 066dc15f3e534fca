import type { Json } from '@millrace/engine'
import { usageFailure } from '#command/failure.ts'
import type { Family } from '#definitions/family.ts'
import { tasksIn } from '#definitions/tasks-in.ts'

export interface GivenAnswer {
  /** The name of a task, or a position. */
  readonly to: string
  readonly value: Json
  /** As it was written. */
  readonly text: string
}

/** The values of `--answer`: NAME=JSON or POSITION=JSON; what is no JSON is text. */
export function readAnswers(values: readonly string[], { members }: Family): readonly GivenAnswer[] {
  const names = members.flatMap(({ workflow }) => tasksIn(workflow).flatMap(({ name, body }) => (body.kind === 'message' ? [name] : [])))
  return values.map((text) => {
    const equals = text.indexOf('=')
    if (equals < 1) throw usageFailure(`--answer ${text}: a name and an answer were to be given.`, 'Write --answer NAME=approve.')
    const to = text.slice(0, equals)
    if (!to.startsWith('/') && !names.includes(to)) {
      const known =
        names.length === 0 ? 'No task of it waits for an answer.' : `Tasks that wait for one: ${[...new Set(names)].join(', ')}.`
      throw usageFailure(`--answer ${text}: there is no task "${to}" that waits for an answer.`, known)
    }
    return { to, value: parse(text.slice(equals + 1)), text }
  })
}

/** Gives the answers for a wait one after another; the last one for all that come after it. */
export function createGivenAnswers(given: readonly GivenAnswer[]): (position: string, name: string) => GivenAnswer | undefined {
  const left = new Map<string, GivenAnswer[]>()
  for (const one of given) left.set(one.to, [...(left.get(one.to) ?? []), one])
  return (position, name) => {
    const found = left.get(position) ?? left.get(name)
    return found !== undefined && found.length > 1 ? found.shift() : found?.[0]
  }
}

function parse(text: string): Json {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives nothing else.
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
