import { Fault, type JsonValue } from '@millrace/contract'
import type { CapturedEvent, DraftSummary, StoredEvent } from '#modules/livecapture/model.ts'
import { fieldOf } from '#modules/livecapture/read/mask.ts'
import { keptName, responsesIn, urlOf, valueOf } from './expressions.ts'
import { createInputs, type Inputs, schemaOf } from './inputs.ts'
import { type Page, pagesOf } from './steps-of.ts'

interface Source {
  /** In its external form. */
  readonly sessionId: string
  readonly name: string
  readonly events: readonly StoredEvent[]
}

type Task = Record<string, JsonValue>
type Call = CapturedEvent & { readonly request: NonNullable<CapturedEvent['request']> }

/** Makes the definition of a draft from the events of a session. Fault `capture_empty` without any step. */
export function draftOf({ sessionId, name, events }: Source): { readonly definition: object; readonly summary: DraftSummary } {
  const pages = pagesOf(events)
  if (pages.length === 0) throw new Fault('capture_empty')
  const steps = pages.flatMap((page) => page.events)
  const inputs = createInputs(steps.filter(({ kind }) => kind === 'change'))
  const { kept, failed } = callsOf(steps)
  const used = new Set([...kept].flatMap((call) => [...responsesIn([call.request.url, call.request.body ?? null])]))
  const names = uniqueNames()
  let manualSteps = 0
  let before: CapturedEvent[] = []
  const groups = pages.flatMap((page, index) => {
    const tasks: Task[] = []
    for (const event of page.events) {
      if (event.kind !== 'request') before.push(event)
      else if (isCall(event) && kept.has(event)) {
        tasks.push({ [names(callName(event))]: callTask(event, before, { inputs, keeps: used.has(event.sequence) }) })
        before = []
      }
    }
    // What a person did last on a page often causes the first call of the next one.
    if (kept.size === 0 || index === pages.length - 1) {
      for (const step of before) tasks.push({ [names(slug(describe(step)) || 'step')]: manualTask(step, inputs) })
      manualSteps += before.length
      before = []
    }
    return tasks.length === 0 ? [] : [{ [names(pageName(page, index))]: groupTask(page, tasks) }]
  })
  const list = inputs.list()
  const secrets = list.filter(({ secret }) => secret).map((input) => input.name)
  const summary: DraftSummary = {
    name,
    pages: groups.length,
    calls: kept.size,
    manualSteps,
    inputs: list.map((input) => input.name),
    notes: notesOf({ failed, secrets, manualSteps, calls: kept.size }),
  }
  return { definition: definitionOf({ sessionId, name, groups, list }), summary }
}

function definitionOf(parts: { sessionId: string; name: string; groups: Task[]; list: Parameters<typeof schemaOf>[0] }): object {
  const { sessionId, name, groups, list } = parts
  return {
    document: {
      dsl: '1.0.3',
      namespace: 'captured',
      name: `${slug(name).slice(0, 40) || 'capture'}-${sessionId.slice(-8)}`.replace(/^-/, ''),
      version: '0.1.0',
      title: name,
      metadata: { capture: { session: sessionId } },
    },
    ...(list.length === 0 ? {} : { input: { schema: { format: 'json', document: schemaOf(list) } } }),
    do: groups,
  }
}

/** The calls that the draft makes: those that change something, and reads whose response another one uses; without a change, all reads. */
function callsOf(steps: readonly CapturedEvent[]): { readonly kept: ReadonlySet<Call>; readonly failed: number } {
  const all = steps.filter(isCall)
  const good = all.filter(({ request: { status = 200 } }) => status < 400)
  const distinct = good.filter(
    (call, index) => !isRead(call) || good.findIndex((other) => isRead(other) && other.request.url === call.request.url) === index,
  )
  const changes = distinct.filter((call) => !isRead(call))
  const kept = new Set(changes.length === 0 ? distinct : changes)
  for (let before = -1; before !== kept.size; ) {
    before = kept.size
    const needed = new Set([...kept].flatMap(({ request }) => [...responsesIn([request.url, request.body ?? null])]))
    for (const call of good) if (needed.has(call.sequence)) kept.add(call)
  }
  return { kept, failed: all.length - good.length }
}

const isCall = (event: CapturedEvent): event is Call => event.kind === 'request' && event.request !== undefined
const isRead = ({ request }: Call) => /^(?:get|head|options)$/i.test(request.method)

function callTask(call: Call, before: readonly CapturedEvent[], { inputs, keeps }: { inputs: Inputs; keeps: boolean }): Task {
  const { method, url, body, contentType } = call.request
  const form = contentType?.split(';')[0]?.trim().toLowerCase()
  const hasBody = body !== undefined && !isRead(call)
  return {
    call: 'http',
    with: {
      method: method.toLowerCase(),
      endpoint: urlOf(url, inputs),
      ...(hasBody && form !== undefined && form !== 'application/json' ? { headers: { 'content-type': form } } : {}),
      ...(hasBody ? { body: valueOf(body, inputs) } : {}),
    },
    ...(keeps ? { export: { as: `\${ $context + { ${keptName(call.sequence)}: . } }` } } : {}),
    metadata: captured([...before, call], before.map(describe)),
  }
}

function manualTask(step: CapturedEvent, inputs: Inputs): Task {
  const field = step.kind === 'change' ? fieldOf(step) : undefined
  return {
    set: { step: literal(describe(step)), ...(field === undefined ? {} : { value: `\${ ${inputs.expressionOf(field)} }` }) },
    metadata: { ...captured([step], []), note: 'This step made no HTTP call that was seen. Replace it by a call.' },
  }
}

function groupTask({ url, title }: Page, tasks: readonly Task[]): Task {
  return { do: tasks, metadata: { capture: { ...(url === undefined ? {} : { page: url }), ...(title === undefined ? {} : { title }) } } }
}

function captured(events: readonly CapturedEvent[], steps: readonly string[]): Task {
  return { capture: { events: events.map(({ sequence }) => sequence), ...(steps.length === 0 ? {} : { steps }) } }
}

/** What a person did, in words. */
function describe({ kind, label, selector, url }: CapturedEvent): string {
  const target = label ?? selector ?? url ?? 'the page'
  if (kind === 'change') return `Fill in "${target}"`
  if (kind === 'submit') return `Submit "${target}"`
  return kind === 'click' ? `Click "${target}"` : `${kind} "${target}"`
}

const literal = (text: string) => (text.trim().startsWith('${') ? `\${ ${JSON.stringify(text)} }` : text)

function callName({ request: { method, url } }: Call): string {
  const segments = (URL.parse(url)?.pathname ?? '').split('/').map(decoded)
  const last = segments.findLast((segment) => segment !== '' && !segment.includes('⟦'))
  return slug(`${method} ${last ?? ''}`)
}

function decoded(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}

function pageName({ url, title }: Page, index: number): string {
  const path = url === undefined ? '' : slug(URL.parse(url)?.pathname ?? '')
  return `page-${slug(title ?? '') || path || String(index + 1)}`
}

function slug(text: string): string {
  return text
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
}

/** Names of tasks are unique in the whole draft, so that they can be found by them. */
function uniqueNames(): (wanted: string) => string {
  const taken = new Set<string>()
  return (wanted) => {
    let name = wanted
    for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`
    taken.add(name)
    return name
  }
}

function notesOf(found: { failed: number; secrets: readonly string[]; manualSteps: number; calls: number }): string[] {
  const { failed, secrets, manualSteps, calls } = found
  return [
    ...(calls > 0 ? ['The calls have no cookies and no credentials of the browser. Add `authentication` where the service needs it.'] : []),
    ...(manualSteps > 0 ? ['Some steps made no HTTP call that was seen; their tasks only name them.'] : []),
    ...(failed > 0 ? [`${failed} calls were left out because they failed while they were captured.`] : []),
    ...(secrets.length > 0 ? [`These inputs were passwords: ${secrets.join(', ')}. Use secrets instead.`] : []),
  ]
}
