import { type Imported, ImportError } from '#src/import/report.ts'
import { at, type Data, isRecord, listOf, numberOf, textOf } from '#src/import/value.ts'
import { conditionsJq } from './conditions.ts'
import { depthMax, kept, type Part, Recorder, type Task, type TaskList } from './recorder.ts'
import { httpCall, pathJq } from './template.ts'
import { Values } from './values.ts'

/** Whether a document is a blueprint of Make. */
export function isMakeBlueprint(value: unknown): value is Data {
  return isRecord(value) && Array.isArray(value['flow']) && value['flow'].every((one) => isRecord(one) && typeof one['module'] === 'string')
}

const modulesMax = 2_000

/** Converts a blueprint. Modules follow each other; the bundle of each is in the context under its number. */
export function convertMake(blueprint: Data): Imported {
  return new Conversion(blueprint).result()
}

class Conversion {
  private readonly recorder = new Recorder()
  private readonly values = new Values(this.recorder, referenceJq)
  private readonly blueprint: Data
  private count = 0

  constructor(blueprint: Data) {
    this.blueprint = blueprint
  }

  result(): Imported {
    const list = this.flow(this.blueprint['flow'], '/flow', 0)
    return this.recorder.result('make', textOf(this.blueprint['name']), list)
  }

  /** The modules of a route. What follows a module that gives many bundles runs once for each. */
  private flow(modules: unknown, pointer: string, depth: number): TaskList {
    const all = listOf(modules)
    const list: TaskList = []
    for (const [index, module] of all.entries()) {
      const where = `${pointer}/${index}`
      if (depth > depthMax || ++this.count > modulesMax)
        throw new ImportError(`The blueprint has more than ${modulesMax} modules, or is nested more than ${depthMax} times.`, where)
      if (!isRecord(module)) continue
      const part = { pointer: where, name: nameOf(module), type: textOf(module['module']) }
      const name = this.recorder.part(part)
      const key = textOf(module['id']) || name
      const condition = this.filter(module, part)
      if (part.type === 'builtin:BasicFeeder') {
        const rest = this.rest(all.slice(index + 1), pointer, index + 1, depth)
        const enter = kept(key, { set: '${ $item | if type == "object" then . else {value: .} end }' })
        const items = `[${this.values.jq(at(module, 'mapper', 'array') ?? [], part, '/mapper/array')} | if type == "array" then .[] else . end]`
        const loop = {
          for: { each: 'item', in: `\${ ${items} }` },
          do: [{ [`${name}-item`]: enter }, ...rest],
          metadata: { concurrency: 1 },
        }
        list.push({ [name]: { ...(condition === undefined ? {} : { if: `\${ ${condition} }` }), ...loop } })
        return list
      }
      const task = this.handled(module, part, name, depth, this.task(module, part, name, depth))
      if (condition !== undefined && index < all.length - 1) {
        // A filter stops the rest of the route, too.
        const rest = this.rest(all.slice(index + 1), pointer, index + 1, depth)
        list.push({ [`${name}-if`]: { if: `\${ ${condition} }`, do: [{ [name]: kept(key, task) }, ...rest] } })
        return list
      }
      list.push({ [name]: kept(key, { ...(condition === undefined ? {} : { if: `\${ ${condition} }` }), ...task }) })
    }
    return list
  }

  /** Later modules of a route keep their places. */
  private rest(modules: readonly unknown[], pointer: string, from: number, depth: number): TaskList {
    const padded = [...Array.from({ length: from }, () => null), ...modules]
    return this.flow(padded, pointer, depth + 1)
  }

  private filter(module: Data, part: Part): string | undefined {
    const conditions = at(module, 'filter', 'conditions')
    if (listOf(conditions).length === 0) return undefined
    const found = conditionsJq(conditions, { left: 'a', operator: 'o', right: 'b' }, (value) => this.values.jq(value, part, '/filter'))
    for (const operator of found.unknown)
      this.recorder.find(
        part,
        'not_converted',
        `The comparison ${operator} has no counterpart: the filter lets nothing through.`,
        '/filter',
      )
    return found.jq
  }

  private handled(module: Data, part: Part, name: string, depth: number, task: Task): Task {
    const handlers = listOf(module['onerror'])
    if (handlers.length === 0 || 'raise' in task) return task
    const kind = textOf(at(handlers[0], 'module'))
    if (kind === 'builtin:Ignore' || kind === 'builtin:Resume') {
      const given = kind === 'builtin:Resume' ? this.values.leaf(at(handlers[0], 'mapper') ?? {}, part, '/onerror/0/mapper') : '${ . }'
      return { try: [{ [`${name}-try`]: task }], catch: { do: [{ [`${name}-failed`]: { set: given } }] } }
    }
    const inner = this.flow(handlers, `${part.pointer}/onerror`, depth + 1)
    return { try: [{ [`${name}-try`]: task }], catch: { as: 'error', do: inner } }
  }

  private task(module: Data, part: Part, name: string, depth: number): Task {
    const mapper = isRecord(module['mapper']) ? module['mapper'] : {}
    const parameters = isRecord(module['parameters']) ? module['parameters'] : {}
    switch (part.type) {
      case 'builtin:BasicRouter':
        return {
          do: listOf(module['routes']).map((route, index) => {
            const inner = this.flow(at(route, 'flow'), `${part.pointer}/routes/${index}/flow`, depth + 1)
            return {
              [`${name}-${index + 1}`]: { do: inner.length === 0 ? [{ [`${name}-${index + 1}-nothing`]: { set: '${ . }' } }] : inner },
            }
          }),
        }
      case 'gateway:CustomWebHook':
      case 'gateway:CustomMailHook':
        return this.start(part, 'webhook', {})
      case 'scheduler:Basic':
        return this.start(part, 'schedule', {})
      case 'gateway:WebhookRespond':
        return { call: 'respond', with: { body: this.values.leaf(mapper['body'] ?? '', part, '/mapper/body') } }
      case 'util:FunctionSleep': {
        const seconds = numberOf(mapper['duration'])
        return { wait: { seconds: seconds >= 0 ? seconds : 1 } }
      }
      case 'util:SetVariable2':
      case 'util:SetVariable':
        return {
          set: `\${ {(${this.values.jq(mapper['name'] ?? 'value', part, '/mapper/name')} | tostring): ${this.values.jq(mapper['value'] ?? null, part, '/mapper/value')}} }`,
        }
      case 'util:SetVariables':
        return {
          set: `\${ ${this.values.jq(Object.fromEntries(listOf(mapper['variables']).map((one) => [textOf(at(one, 'name')), at(one, 'value') ?? null])), part, '/mapper/variables')} }`,
        }
      case 'util:ComposeTransformer':
        return { set: `\${ {value: ${this.values.jq(mapper['value'] ?? '', part, '/mapper/value')}} }` }
      case 'json:ParseJSON':
        return { set: `\${ ${this.values.jq(mapper['json'] ?? '{}', part, '/mapper/json')} | fromjson }` }
      case 'json:TransformToJSON':
      case 'json:CreateJSON':
        return { set: `\${ {json: (${this.values.jq(mapper['object'] ?? mapper, part, '/mapper')} | tojson)} }` }
      case 'http:ActionSendData':
      case 'http:ActionSendDataBasicAuth':
      case 'http:ActionSendDataAPIKeyAuth':
      case 'http:MakeRequest':
        return this.http(part, mapper)
      default:
        return this.recorder.missing(part, `The module ${part.type} has no counterpart.`, { parameters, mapper })
    }
  }

  private http(part: Part, mapper: Data): Task {
    if (part.type !== 'http:ActionSendData')
      this.recorder.find(part, 'adapted', 'Its credentials are not part of the blueprint. Add an authentication to the call.')
    const pairs = (given: unknown, name: string) =>
      Object.fromEntries(
        listOf(given).flatMap((one) => (textOf(at(one, name)) === '' ? [] : [[textOf(at(one, name)), at(one, 'value') ?? '']])),
      )
    const type = textOf(mapper['contentType'])
    const headers = { ...(type === '' ? {} : { 'Content-Type': type }), ...pairs(mapper['headers'], 'name') }
    const form = pairs(mapper['formDataFields'], 'key')
    const body = Object.keys(form).length > 0 ? form : mapper['data']
    const parts = { method: mapper['method'], url: mapper['url'], headers, query: pairs(mapper['qs'], 'name'), body }
    const call = httpCall(parts, referenceJq, (reference) => this.values.unknown(part, reference, '/mapper'))
    return { ...call, output: { as: '${ {statusCode, headers, data: .content} }' } }
  }

  private start(part: Part, kind: 'webhook' | 'schedule', settings: Data): Task {
    this.recorder.triggers.push({ name: part.name, kind, settings })
    this.recorder.find(part, 'note', `Becomes a trigger of kind ${kind}: create it after you publish.`)
    return { set: kind === 'webhook' ? '${ if type == "object" and has("body") then .body else . end }' : '${ . }' }
  }
}

function nameOf(module: Data): string {
  return textOf(at(module, 'metadata', 'designer', 'name')) || `${textOf(module['module']).split(':').at(-1) ?? ''} ${textOf(module['id'])}`
}

/** `1.data.x`, `3.value`, `5.items[].name`: a value of the bundle of a module. */
function referenceJq(text: string): string | undefined {
  if (text === 'now') return '(now | todate)'
  const [, id, rest = ''] = /^(\d+)([\s\S]*)$/.exec(text.replaceAll('[]', '[1]')) ?? []
  if (id === undefined) return undefined
  // Make counts from one.
  const path = pathJq(rest.replaceAll(/\[(\d+)\]/g, (_, index) => `[${Math.max(0, Number(index) - 1)}]`))
  return path === undefined ? undefined : `($context[${JSON.stringify(id)}] | .${path})`
}
