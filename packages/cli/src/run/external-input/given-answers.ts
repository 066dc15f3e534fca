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
  /** The text as it was given. */
  readonly text: string
}

/** Reads the values of `--answer`: NAME=JSON or POSITION=JSON, where other text is a string. `-`, which means standard input, is skipped. */
export function readAnswers(values: readonly string[], { members }: WorkflowBundle): readonly GivenAnswer[] {
  const asking = members.flatMap(({ workflow }) => tasksIn(workflow)).filter(({ body }) => body.kind === 'message')
  const names = [...new Set(asking.map(({ name }) => name))]
  return values.flatMap((text) => {
    if (text === standardInput) return []
    const equals = text.indexOf('=')
    if (equals < 1) throw usageFailure(`--answer ${text}: expected NAME=ANSWER.`, 'Write --answer NAME=approve.')
    const to = text.slice(0, equals)
    if (!to.startsWith('/') && !names.includes(to)) {
      const known =
        names.length === 0 ? 'No task of the workflow waits for an answer.' : `Tasks that wait for an answer: ${names.join(', ')}.`
      throw usageFailure(`--answer ${text}: there is no task "${to}" that waits for an answer.`, known)
    }
    const value = parseAnswer(text.slice(equals + 1))
    if (readVerdict(value) === undefined) throw usageFailure(`--answer ${text}: ${invalidVerdict}.`, verdictExample)
    return [{ to, value, text: text.slice(equals + 1) }]
  })
}

const invalidVerdict = 'expected "approve", "reject", "expire" or an object with such a decision'
const verdictExample = 'Write approve, reject, expire, or {"decision":"reject","reason":"…"}; "data" for a form.'

/** The verdict of an answer on an approval, or why it cannot be accepted. */
export function checkAnswer(
  { value, text }: Pick<GivenAnswer, 'value' | 'text'>,
  args: JsonObject,
): { readonly verdict: Verdict } | { readonly why: string } {
  const verdict = readVerdict(value)
  if (verdict === undefined) return { why: `${text}: ${invalidVerdict}` }
  const problem = problemOf(verdict, args)
  return problem === undefined ? { verdict } : { why: problem }
}

/** Returns the answers for a task one after another; the last one also for all later waits. */
export function createGivenAnswers(given: readonly GivenAnswer[]): (position: string, name: string) => GivenAnswer | undefined {
  const left = new Map<string, GivenAnswer[]>()
  for (const answer of given) left.set(answer.to, [...(left.get(answer.to) ?? []), answer])
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
