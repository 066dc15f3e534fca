import { calledFunction, type Definition, eachTask, knownNames } from '@millrace/dsl'

type Performs = 'effect' | 'waiting' | 'answer'

/** What the functions of the catalog do that are more than an effect. */
const performs: Readonly<Record<string, Performs>> = { approve: 'waiting', respond: 'answer' }

/** The functions of the default catalog that a definition calls, with any arguments and outputs: whether they exist, the server knows. */
export function functionsOf(definition: Definition) {
  const known = knownNames(definition.use)
  const names = new Map<string, string>()
  for (const { kind, task } of eachTask(definition)) {
    const call: unknown = kind === 'call' ? Object(task)['call'] : undefined
    const called = typeof call === 'string' ? calledFunction(call, known) : undefined
    if (called?.kind === 'default') names.set(called.name, called.version ?? '1.0.0')
  }
  return [...names].map(([name, version]) => ({
    name,
    version,
    summary: '',
    performs: performs[name] ?? ('effect' as const),
    input: {},
    output: {},
  }))
}
