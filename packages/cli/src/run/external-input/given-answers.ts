import type { Json, JsonObject } from '@millrace/engine'
import { usageFailure } from '#command/failure.ts'
import type { WorkflowBundle } from '#definitions/workflow-bundle.ts'
import { standardInput } from '#definitions/read-text.ts'
import { tasksIn } from '#definitions/tasks-in.ts'
import { problemOf, readVerdict, type Verdict } from './approval.ts'

export interface GivenAnswer {
  /** The name of a task, or a position. */
  readonly to: string
  readonly value: Json
  /** As it was written. */
  readonly text: string
}

/** The values of `--answer`: NAME=JSON or POSITION=JSON, where what is no JSON is text; not `-`, which stands for lines of standard input. */
export function readAnswers(values: readonly string[], { members }: WorkflowBundle): readonly GivenAnswer[] {
  const asking = members.flatMap(({ workflow }) => tasksIn(workflow)).filter(({ body }) => body.kind === 'message')
  const names = [...new Set(asking.map(({ name }) => name))]
  return values.flatMap((text) => {
    if (text === standardInput) return []
    const equals = text.indexOf('=')
    if (equals < 1) throw usageFailure(`--answer ${text}: a name and an answer were to be given.`, 'Write --answer NAME=approve.')
    const to = text.slice(0, equals)
    if (!to.startsWith('/') && !names.includes(to)) {
      const known = names.length === 0 ? 'No task of it waits for an answer.' : `Tasks that wait for one: ${names.join(', ')}.`
      throw usageFailure(`--answer ${text}: there is no task "${to}" that waits for an answer.`, known)
    }
    const value = parseAnswer(text.slice(equals + 1))
    if (readVerdict(value) === undefined) throw usageFailure(`--answer ${text}: ${noVerdict}.`, verdictExample)
    return [{ to, value, text: text.slice(equals + 1) }]
  })
}

const noVerdict = 'this is neither "approve", "reject" nor "expire", nor an object with such a decision'
const verdictExample = 'Write approve, reject, expire, or {"decision":"reject","reason":"…"}; "data" for a form.'

/** What an answer says to an approval, or why it cannot be taken. */
export function checkAnswer(
  { value, text }: Pick<GivenAnswer, 'value' | 'text'>,
  args: JsonObject,
): { readonly verdict: Verdict } | { readonly why: string } {
  const verdict = readVerdict(value)
  if (verdict === undefined) return { why: `${text}: ${noVerdict}` }
  const problem = problemOf(verdict, args)
  return problem === undefined ? { verdict } : { why: problem }
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

/** JSON, or text. */
export function parseAnswer(text: string): Json {
  try {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- JSON.parse gives nothing else.
    return JSON.parse(text) as Json
  } catch {
    return text
  }
}
