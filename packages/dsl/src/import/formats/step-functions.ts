import { type Imported, ImportError } from '#src/import/report.ts'
import { at, type Data, isRecord, listOf, numberOf, textOf } from '#src/import/value.ts'
import { depthMax, type Part, Recorder, segment, type Task, type TaskList } from './recorder.ts'
import { choiceJq, pathOf, payloadJq } from './step-functions-jq.ts'

/** Whether a document is a state machine in the Amazon States Language. Source: https://states-language.net/spec.html. */
export function isStateMachine(value: unknown): value is Data {
  return isRecord(value) && typeof value['StartAt'] === 'string' && isRecord(value['States'])
}

const statesMax = 2_000

/** Converts a state machine. A state becomes a task with the same input and output; transitions become `then`. */
export function convertStateMachine(machine: Data): Imported {
  const recorder = new Recorder()
  if (textOf(machine['QueryLanguage']) === 'JSONata')
    throw new ImportError('The state machine is written in JSONata. Only JSONPath is converted.', '/QueryLanguage')
  const list = states(machine, '', recorder, 0)
  const name = textOf(machine['Comment']).split('\n')[0] ?? ''
  const seconds = numberOf(machine['TimeoutSeconds'])
  return recorder.result('step-functions', name || textOf(machine['StartAt']), list, seconds > 0 ? { timeout: { after: { seconds } } } : {})
}

function states(machine: Data, pointer: string, recorder: Recorder, depth: number): TaskList {
  if (depth > depthMax) throw new ImportError(`The states are nested more than ${depthMax} times.`, pointer)
  const all = machine['States']
  if (!isRecord(all)) throw new ImportError('A state machine has no States.', pointer)
  const entries = Object.entries(all)
  if (entries.length > statesMax) throw new ImportError(`The state machine has more than ${statesMax} states.`, pointer)
  const start = textOf(machine['StartAt'])
  if (!Object.hasOwn(all, start)) throw new ImportError(`StartAt names no state: "${start}".`, `${pointer}/StartAt`)
  const parts = new Map(
    entries.map(([name, state]) => {
      const part: Part = { pointer: `${pointer}/States${segment(name)}`, name, type: textOf(at(state, 'Type')) }
      return [name, { part, task: recorder.part(part), state: isRecord(state) ? state : {} }]
    }),
  )
  const end = depth === 0 ? 'end' : 'exit'
  const then = (part: Part, name: unknown): string => {
    const target = parts.get(textOf(name))
    if (target === undefined) recorder.find(part, 'adapted', `It leads to "${textOf(name)}", which does not exist: the workflow ends here.`)
    return target?.task ?? end
  }
  const ordered = [start, ...entries.map(([name]) => name).filter((name) => name !== start)]
  return ordered.flatMap((name) => {
    const found = parts.get(name)
    return found === undefined ? [] : stateTasks({ ...found, then, end, recorder, depth })
  })
}

interface State {
  readonly part: Part
  readonly task: string
  readonly state: Data
  readonly then: (part: Part, name: unknown) => string
  readonly end: string
  readonly recorder: Recorder
  readonly depth: number
}

function stateTasks(one: State): TaskList {
  const { part, task: name, state, then, end, recorder } = one
  const next = state['Next'] === undefined ? end : then(part, state['Next'])
  if (part.type === 'Choice') return [{ [name]: choice(one) }]
  if (part.type === 'Fail') {
    const error = {
      type: `https://millrace.dev/errors/imported/${encodeURIComponent(textOf(state['Error']) || 'failed')}`,
      status: 500,
      title: textOf(state['Error']) || 'Failed',
      detail: textOf(state['Cause']) || 'The state machine failed.',
    }
    return [{ [name]: { raise: { error } } }]
  }
  if (part.type === 'Succeed')
    return [{ [name]: { set: `\${ ${pathOf(state['InputPath'], (why) => recorder.find(part, 'adapted', why))} }`, then: end } }]
  const made = withOutput(one, taskOf(one))
  return withRecovery(one, made, next)
}

function taskOf(one: State): Task {
  const { part, state, recorder } = one
  const unknown = (why: string) => recorder.find(part, 'adapted', why)
  const input = effectiveInput(state, unknown)
  switch (part.type) {
    case 'Pass':
      return { set: state['Result'] === undefined ? `\${ ${input} }` : `\${ ${JSON.stringify(state['Result'])} }` }
    case 'Wait':
      return waitOf(one, input)
    case 'Task':
      return actionOf(one, input)
    case 'Parallel':
      return {
        fork: {
          branches: listOf(state['Branches']).flatMap((branch, index) =>
            isRecord(branch)
              ? [
                  {
                    [`${one.task}-${index + 1}`]: {
                      do: states(branch, `${part.pointer}/Branches/${index}`, recorder, one.depth + 1),
                      input: { from: `\${ ${input} }` },
                    },
                  },
                ]
              : [],
          ),
        },
      }
    case 'Map': {
      const inner = isRecord(state['ItemProcessor']) ? 'ItemProcessor' : 'Iterator'
      const processor = state[inner]
      if (!isRecord(processor)) return recorder.missing(part, 'The state has no ItemProcessor.', state)
      if (state['ItemReader'] !== undefined) return recorder.missing(part, 'It reads its items from a service.', state)
      const concurrency = numberOf(state['MaxConcurrency'])
      const selector = state['ItemSelector'] ?? state['Parameters']
      const item = selector === undefined ? '$item' : payloadJq(selector, { unknown, item: true })
      return {
        for: { each: 'item', at: 'index', in: `\${ ${pathOf(state['ItemsPath'], unknown)} }` },
        do: [
          {
            [`${one.task}-item`]: {
              do: states(processor, `${part.pointer}/${inner}`, recorder, one.depth + 1),
              input: { from: `\${ . as $input | ${item} }` },
            },
          },
        ],
        // It makes the output the list of results.
        metadata: { concurrency: concurrency > 0 ? Math.min(concurrency, 100) : 10 },
      }
    }
    default:
      return recorder.missing(part, `A state of type "${part.type}" is not known.`, state)
  }
}

function effectiveInput(state: Data, unknown: (why: string) => void): string {
  const input = pathOf(state['InputPath'], unknown)
  const parameters = state['Type'] === 'Map' ? undefined : (state['Parameters'] ?? state['Arguments'])
  return parameters === undefined ? input : `${input} | ${payloadJq(parameters, { unknown, item: false })}`
}

function waitOf({ part, state, recorder }: State, _input: string): Task {
  const unknown = (why: string) => recorder.find(part, 'adapted', why)
  const seconds = numberOf(state['Seconds'])
  if (seconds >= 0) return { wait: { seconds } }
  if (state['SecondsPath'] !== undefined) return { wait: `\${ "PT\\(${pathOf(state['SecondsPath'], unknown)})S" }` }
  const until = state['Timestamp'] === undefined ? pathOf(state['TimestampPath'], unknown) : JSON.stringify(state['Timestamp'])
  return { wait: `\${ "PT\\([(${until} | sub("\\\\.\\\\d+"; "") | fromdateiso8601) - now, 0] | max | ceil)S" }` }
}

function actionOf({ part, state, recorder }: State, _input: string): Task {
  const resource = textOf(state['Resource'])
  const parameters = isRecord(state['Parameters']) ? state['Parameters'] : {}
  const unknown = (why: string) => recorder.find(part, 'adapted', why)
  const jq = (key: string) => {
    const computed = parameters[`${key}.$`]
    return computed === undefined
      ? payloadJq(parameters[key] ?? null, { unknown, item: false })
      : payloadJq({ 'a.$': computed }, { unknown, item: false }) + '["a"]'
  }
  const input = pathOf(state['InputPath'], unknown)
  if (/:states:::http:invoke/.test(resource)) {
    const secret = recorder.secret('httpConnection', part)
    recorder.find(
      part,
      'adapted',
      'The credentials of its EventBridge connection are sent as a bearer token. Correct the request if the service expects another form.',
    )
    const has = (key: string) => parameters[key] !== undefined || parameters[`${key}.$`] !== undefined
    return {
      call: 'http',
      with: {
        method: textOf(parameters['Method']).toLowerCase() || 'get',
        endpoint: `\${ ${input} | ${jq('ApiEndpoint')} }`,
        headers: `\${ ${input} | (${has('Headers') ? jq('Headers') : '{}'}) + {"Authorization": ("Bearer " + $secrets.${secret})} }`,
        ...(has('QueryParameters') ? { query: `\${ ${input} | ${jq('QueryParameters')} }` } : {}),
        ...(has('RequestBody') ? { body: `\${ ${input} | ${jq('RequestBody')} }` } : {}),
        output: 'response',
      },
      output: { as: '${ {StatusCode: .statusCode, Headers: .headers, ResponseBody: .content} }' },
    }
  }
  if (/:states:::events:putEvents/.test(resource)) {
    recorder.find(part, 'adapted', 'The first entry is emitted on the event bus of the account.')
    return {
      emit: {
        event: { with: { source: 'https://imported.example', type: 'imported.event', data: `\${ ${input} | ${jq('Entries')}[0] }` } },
      },
    }
  }
  return recorder.missing(part, `The resource ${resource.slice(0, 200) || '(none)'} has no counterpart.`, state)
}

/** ResultSelector, ResultPath and OutputPath. */
function withOutput({ part, state, recorder }: State, task: Task): Task {
  if ('raise' in task) return task
  const unknown = (why: string) => recorder.find(part, 'adapted', why)
  const before = isRecord(task['output']) ? textOf(task['output']['as']).slice(3, -2) : '.'
  const raw = part.type === 'Wait' ? '$input' : before
  const selected = state['ResultSelector'] === undefined ? raw : `${raw} | ${payloadJq(state['ResultSelector'], { unknown, item: false })}`
  const where = state['ResultPath']
  const merged =
    part.type === 'Wait' || where === undefined
      ? selected
      : where === null
        ? '$input'
        : `(${selected}) as $result | $input | ${pathOf(where, unknown)} = $result`
  const output = state['OutputPath'] === undefined ? merged : `${merged} | ${pathOf(state['OutputPath'], unknown)}`
  if (output === '.') return task
  return { ...task, output: { as: `\${ ${output} }` } }
}

/** Retries and catches: the error of a state leads on where its Catch says. */
function withRecovery({ part, task: name, state, then, recorder }: State, task: Task, next: string): TaskList {
  const [retry, ...retries] = listOf(state['Retry'])
  const catches = listOf(state['Catch']).filter(isRecord)
  if (retries.length > 0) recorder.find(part, 'adapted', 'Only the first of its retries is kept, for every error.', '/Retry')
  if (retry === undefined && catches.length === 0) return [{ [name]: { ...task, then: next } }]
  const attempts = numberOf(at(retry, 'MaxAttempts') ?? 3)
  const seconds = numberOf(at(retry, 'IntervalSeconds') ?? 1)
  const rate = numberOf(at(retry, 'BackoffRate') ?? 2)
  const again =
    retry === undefined || !(attempts > 0)
      ? {}
      : {
          retry: {
            delay: { seconds: seconds > 0 ? seconds : 1 },
            ...(rate > 1 ? { backoff: { exponential: {} } } : {}),
            limit: { attempt: { count: Math.min(attempts, 100) } },
          },
        }
  const { output, ...inner } = task
  const raised =
    catches.length === 0
      ? { raise: { error: '${ $error }' } }
      : { set: { $caught: '${ {Error: ($error.title // $error.type), Cause: ($error.detail // "")} }' } }
  const tried: Task = {
    try: [{ [`${name}-try`]: { ...inner, ...(output === undefined ? {} : { output }) } }],
    catch: { as: 'error', ...again, do: [{ [`${name}-failed`]: raised }] },
  }
  const [first, ...others] = catches
  if (first === undefined) return [{ [name]: { ...tried, then: next } }]
  if (others.length > 0 || listOf(first['ErrorEquals']).some((error) => error !== 'States.ALL' && error !== 'States.TaskFailed'))
    recorder.find(part, 'adapted', 'Every error leads where the first Catch says; errors are not distinguished by name.', '/Catch')
  const unknown = (why: string) => recorder.find(part, 'adapted', why, '/Catch/0')
  const where = first['ResultPath']
  const kept =
    where === undefined
      ? '.["$caught"]'
      : where === null
        ? '.["$before"]'
        : `.["$caught"] as $caught | .["$before"] | ${pathOf(where, unknown)} = $caught`
  const isCaught = '(type == "object" and has("$caught"))'
  const caught = `${name}-caught`
  return [
    { [name]: { ...tried, output: { as: `\${ if ${isCaught} then . + {"$before": $input} else . end }` } } },
    { [`${name}-outcome`]: { switch: [{ failed: { when: `\${ ${isCaught} }`, then: caught } }, { done: { then: next } }] } },
    { [caught]: { set: `\${ ${kept} }`, then: then(part, first['Next']) } },
  ]
}

function choice({ part, state, then, end, recorder }: State): Task {
  const cases = listOf(state['Choices']).flatMap((rule, index) => {
    const condition = choiceJq(rule)
    if (condition === undefined) {
      recorder.find(
        part,
        'not_converted',
        'The condition uses a comparison that has no certain counterpart. It is never true: correct it.',
        `/Choices/${index}`,
      )
      return [{ [`case-${index + 1}`]: { when: '${ false }', then: then(part, at(rule, 'Next')) } }]
    }
    return [{ [`case-${index + 1}`]: { when: `\${ ${condition} }`, then: then(part, at(rule, 'Next')) } }]
  })
  if (state['Default'] === undefined)
    recorder.find(part, 'adapted', 'It has no Default: the workflow ends where a state machine fails with States.NoChoiceMatched.')
  return { switch: [...cases, { default: { then: state['Default'] === undefined ? end : then(part, state['Default']) } }] }
}
