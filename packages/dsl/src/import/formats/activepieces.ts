import { type Imported, ImportError } from '#src/import/report.ts'
import { at, type Data, isRecord, listOf, numberOf, textOf } from '#src/import/value.ts'
import { conditionsJq } from './conditions.ts'
import { depthMax, kept, type Part, Recorder, type Task, type TaskList } from './recorder.ts'
import { httpCall, pathJq } from './template.ts'
import { Values } from './values.ts'

/** Whether a document is a flow or template of Activepieces. */
export function isActivepiecesFlow(value: unknown): value is Data {
  const trigger = triggerOf(value)
  return isRecord(trigger) && /^(?:PIECE_TRIGGER|EMPTY|WEBHOOK|SCHEDULE)$/.test(textOf(trigger['type']))
}

const stepsMax = 2_000

/** Converts a flow. Steps follow each other; the output of each is in the context under its name in Activepieces. */
export function convertActivepieces(flow: Data): Imported {
  return new Conversion(flow).result()
}

function versionOf(value: unknown): readonly [unknown, string] {
  if (isRecord(at(value, 'template'))) return [at(value, 'template'), '/template']
  if (isRecord(at(value, 'flows', 0))) return [at(value, 'flows', 0), '/flows/0']
  if (isRecord(at(value, 'version'))) return [at(value, 'version'), '/version']
  return [value, '']
}

function triggerOf(value: unknown): unknown {
  return at(versionOf(value)[0], 'trigger')
}

class Conversion {
  private readonly recorder = new Recorder()
  private readonly values = new Values(this.recorder, referenceJq)
  private readonly flow: Data
  private count = 0

  constructor(flow: Data) {
    this.flow = flow
  }

  result(): Imported {
    const [version, start] = versionOf(this.flow)
    const trigger = at(version, 'trigger')
    const pointer = `${start}/trigger`
    const part = this.partOf(trigger, pointer)
    const name = this.recorder.part(part)
    this.trigger(trigger, part)
    const begin = kept('trigger', { set: '${ . }' })
    const list = [{ [name]: begin }, ...this.steps(at(trigger, 'nextAction'), `${pointer}/nextAction`, 0)]
    return this.recorder.result('activepieces', textOf(at(version, 'displayName')) || textOf(this.flow['name']), list)
  }

  private partOf(step: unknown, pointer: string): Part {
    const piece = textOf(at(step, 'settings', 'pieceName')).replace('@activepieces/piece-', '')
    const action = textOf(at(step, 'settings', 'actionName')) || textOf(at(step, 'settings', 'triggerName'))
    const type = piece === '' ? textOf(at(step, 'type')) : `${piece}.${action}`
    return { pointer, name: textOf(at(step, 'displayName')) || textOf(at(step, 'name')) || type, type }
  }

  private trigger(trigger: unknown, part: Part): void {
    const input = at(trigger, 'settings', 'input')
    const settings = isRecord(input) ? input : {}
    const { name, type } = part
    const propose = (kind: 'webhook' | 'schedule', given: Data) => {
      this.recorder.triggers.push({ name, kind, settings: given })
      this.recorder.find(part, 'note', `Becomes a trigger of kind ${kind}: create it after you publish.`)
    }
    if (type.startsWith('webhook.')) return propose('webhook', {})
    if (type.startsWith('subflows.')) return this.recorder.startsByItself(part, 'workflow')
    if (type.startsWith('manual-trigger.') || type === 'EMPTY') return this.recorder.startsByItself(part, 'manual')
    if (!type.startsWith('schedule.')) {
      this.recorder.triggers.push({ name, kind: 'webhook', settings: { source: type } })
      return this.recorder.find(
        part,
        'adapted',
        `Millrace has no trigger ${type}. Let the service call a webhook, or watch it. The input differs.`,
      )
    }
    const cron = textOf(settings['cronExpression'])
    const hour = numberOf(settings['hour_of_the_day'] ?? 0)
    const day = numberOf(settings['day_of_the_week'] ?? 1)
    const known: Readonly<Record<string, string>> = {
      'schedule.every_x_minutes': `*/${Math.max(1, numberOf(settings['minutes'] ?? 1) || 1)} * * * *`,
      'schedule.every_hour': '0 * * * *',
      'schedule.every_day': `0 ${hour || 0} * * *`,
      'schedule.every_week': `0 ${hour || 0} * * ${day || 0}`,
    }
    const found = cron === '' ? known[type] : cron
    if (found !== undefined) return propose('schedule', { crons: [found], timeZone: textOf(settings['timezone']) || 'UTC' })
    this.recorder.triggers.push({ name, kind: 'schedule', settings: {} })
    return this.recorder.find(part, 'adapted', `The schedule ${type} has no certain counterpart. Enter its times.`)
  }

  private steps(first: unknown, pointer: string, depth: number): TaskList {
    const list: TaskList = []
    let [step, where] = [first, pointer]
    while (isRecord(step)) {
      if (depth > depthMax || ++this.count > stepsMax)
        throw new ImportError(`The flow has more than ${stepsMax} steps, or is nested more than ${depthMax} times.`, where)
      const part = this.partOf(step, where)
      const name = this.recorder.part(part)
      const skip = at(step, 'skip') === true || at(step, 'settings', 'skip') === true
      const task = skip ? this.skipped(part) : this.task(step, part, name, depth)
      list.push({ [name]: kept(textOf(step['name']) || name, this.recovered(step, part, name, task)) })
      step = step['nextAction']
      where = `${where}/nextAction`
    }
    return list
  }

  private skipped(part: Part): Task {
    this.recorder.find(part, 'note', 'It was disabled: it does nothing.')
    return { set: '${ . }' }
  }

  private recovered(step: Data, part: Part, name: string, task: Task): Task {
    const options = at(step, 'settings', 'errorHandlingOptions')
    const retries = at(options, 'retryOnFailure', 'value') === true
    const continues = at(options, 'continueOnFailure', 'value') === true
    if ((!retries && !continues) || 'raise' in task) return task
    if (retries) this.recorder.find(part, 'adapted', 'It is tried up to four times, two seconds apart.')
    const after = continues ? { set: { error: '${ $error.detail // $error.title }' } } : { raise: { error: '${ $error }' } }
    return {
      try: [{ [`${name}-try`]: task }],
      catch: {
        as: 'error',
        ...(retries ? { retry: { delay: { seconds: 2 }, limit: { attempt: { count: 3 } } } } : {}),
        do: [{ [`${name}-failed`]: after }],
      },
    }
  }

  private task(step: Data, part: Part, name: string, depth: number): Task {
    const settings = isRecord(step['settings']) ? step['settings'] : {}
    switch (textOf(step['type'])) {
      case 'CODE':
        return this.code(settings, part)
      case 'LOOP_ON_ITEMS': {
        const inner = this.steps(step['firstLoopAction'], `${part.pointer}/firstLoopAction`, depth + 1)
        const own = textOf(step['name']) || name
        const enter = { set: '${ {item: $item, index: ($index + 1)} }' }
        return {
          for: { each: 'item', at: 'index', in: this.values.leaf(settings['items'], part, '/settings/items') },
          do: [{ [`${name}-item`]: kept(own, enter) }, ...inner],
          metadata: { concurrency: 1 },
        }
      }
      case 'BRANCH':
        return this.branches(name, [
          {
            condition: this.condition(settings['conditions'], part),
            list: this.steps(step['onSuccessAction'], `${part.pointer}/onSuccessAction`, depth + 1),
          },
          { condition: undefined, list: this.steps(step['onFailureAction'], `${part.pointer}/onFailureAction`, depth + 1) },
        ])
      case 'ROUTER': {
        if (textOf(settings['executionType']) === 'EXECUTE_ALL_MATCH')
          this.recorder.find(part, 'adapted', 'All branches that match run in Activepieces. Here the first one that matches runs.')
        const children = listOf(step['children'])
        return this.branches(
          name,
          listOf(settings['branches']).map((branch, index) => ({
            condition: textOf(at(branch, 'branchType')) === 'FALLBACK' ? undefined : this.condition(at(branch, 'conditions'), part),
            list: this.steps(children[index], `${part.pointer}/children/${index}`, depth + 1),
          })),
        )
      }
      case 'PIECE':
        return this.piece(settings, part)
      default:
        return this.recorder.missing(part, `A step of type ${part.type} is not known.`, settings)
    }
  }

  private branches(name: string, branches: readonly { readonly condition: string | undefined; readonly list: TaskList }[]): Task {
    const tasks = branches.map(({ list }, index) => ({
      [`${name}-${index + 1}`]: { do: list.length === 0 ? [{ [`${name}-${index + 1}-nothing`]: { set: '${ . }' } }] : list, then: 'exit' },
    }))
    const conditional = branches.flatMap(({ condition }, index) =>
      condition === undefined ? [] : [{ [`case-${index + 1}`]: { when: `\${ ${condition} }`, then: `${name}-${index + 1}` } }],
    )
    const other = branches.findIndex(({ condition }) => condition === undefined)
    const cases = [...conditional, { default: { then: other === -1 ? 'exit' : `${name}-${other + 1}` } }]
    return { do: [{ [`${name}-choice`]: { switch: cases } }, ...tasks] }
  }

  private code({ sourceCode, input }: Data, part: Part): Task {
    const code = textOf(at(sourceCode, 'code'))
    if (code === '') return this.recorder.missing(part, 'The step has no code.', { input })
    if (/\brequire\s*\(|\bimport\s|\bfetch\s*\(/.test(code))
      return this.recorder.missing(part, 'The code uses modules or requests, which scripts do not have.', { code, input })
    this.recorder.find(
      part,
      'adapted',
      'The code runs as a script without modules, files and requests. Types of TypeScript must be removed.',
    )
    const script = `import { readFileSync as read$ } from 'node:fs'\n${code.replaceAll(/^export\s+(?:default\s+)?/gm, '')}\nconsole.log(JSON.stringify((await code(JSON.parse(read$(0, 'utf8')))) ?? null))\n`
    return {
      run: { script: { language: 'js', code: script, stdin: `\${ ${this.values.jq(input ?? {}, part, '/settings/input')} }` } },
      output: { as: '${ fromjson }' },
    }
  }

  private piece({ pieceName, actionName, input: given }: Data, part: Part): Task {
    const input = isRecord(given) ? given : {}
    const piece = textOf(pieceName).replace('@activepieces/piece-', '')
    if (piece === 'http' && /request/.test(textOf(actionName))) {
      if (input['authType'] !== undefined && input['authType'] !== 'NONE')
        this.recorder.find(part, 'adapted', 'Its credentials are not part of the export. Add an authentication to the call.')
      const body = isRecord(input['body']) && 'data' in input['body'] ? input['body']['data'] : input['body']
      const parts = { method: input['method'], url: input['url'], headers: input['headers'], query: input['queryParams'], body }
      const call = httpCall(parts, referenceJq, (reference) => this.values.unknown(part, reference, '/settings/input'))
      return { ...call, output: { as: '${ {status: .statusCode, headers, body: .content} }' } }
    }
    if (piece === 'delay') {
      const unit: Readonly<Record<string, string>> = { seconds: 'seconds', minutes: 'minutes', hours: 'hours', days: 'days' }
      const amount = numberOf(input['delayFor'])
      const name = unit[textOf(input['unit']) || 'seconds']
      if (name !== undefined && amount >= 0) return { wait: { [name]: amount } }
    }
    if (piece === 'webhook' && textOf(actionName) === 'return_response')
      return {
        call: 'respond',
        with: { body: this.values.leaf(at(input, 'fields', 'body') ?? input['body'] ?? {}, part, '/settings/input') },
      }
    if (piece === 'data-mapper' || (piece === 'store' && textOf(actionName) === 'none'))
      return { set: this.values.leaf(input['mapping'] ?? {}, part, '/settings/input/mapping') }
    return this.recorder.missing(part, `The action ${part.type} has no counterpart.`, input)
  }

  private condition(groups: unknown, part: Part): string {
    const found = conditionsJq(groups, { left: 'firstValue', operator: 'operator', right: 'secondValue' }, (value) =>
      this.values.jq(value, part, '/settings'),
    )
    for (const operator of found.unknown)
      this.recorder.find(part, 'not_converted', `The comparison ${operator} has no counterpart: the condition is never true.`, '/settings')
    return found.jq
  }
}

/** `trigger.body.x`, `step_1['a'].b`: a value that an earlier step gave. */
function referenceJq(text: string): string | undefined {
  const [, name = '', rest = ''] = /^([A-Za-z_]\w*)([\s\S]*)$/.exec(text) ?? []
  const path = name === '' || name === 'connections' ? undefined : pathJq(rest)
  return path === undefined ? undefined : `($context[${JSON.stringify(name)}] | .${path})`
}
