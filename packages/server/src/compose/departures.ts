import { isUtf8 } from 'node:buffer'
import { Fault, JsonValue, type PersonalDataKind } from '@millrace/contract'
import type { EffectCall } from '@millrace/engine'
import type { Config } from '#config/read-config.ts'
import type { AdmitTexts } from '#modules/connectors/index.ts'
import type { EgressPort } from '#modules/models/index.ts'
import { createConsents, createDepartures, type Departure, type Departures, hostRegions } from '#modules/consents/index.ts'
import { inspectJson, insertDecision, kindsIn, type PolicyGuard, redactAll, withPlaceholders } from '#modules/privacy/index.ts'
import type { Database } from '#platform/db/database.ts'
import { toTypeId } from '#platform/ids.ts'
import { MailError } from '#platform/mail/mail-error.ts'
import type { Mailer } from '#platform/mail/mailer.ts'
import type { GuardedFetch, OutgoingRequest } from '#platform/net/guarded-fetch.ts'
import { depthHeaders } from '#platform/net/depth.ts'
import { NetError } from '#platform/net/net-error.ts'
import type { System } from './system.ts'

export type { Departures }

const charactersMax = 500_000
const actionOf = { allow: 'allowed', redact: 'redacted', refuse: 'blocked' } as const

/** Writes decisions about data that was to leave to the log. */
export function departureLog({ now, newId }: Pick<System, 'now' | 'newId'>): Parameters<typeof createDepartures>[0]['record'] {
  return (executor, accountId, { destination, categories, actor }, { action, reason }) =>
    insertDecision(executor, accountId, {
      id: newId(),
      at: new Date(now()),
      source: 'egress',
      action: actionOf[action],
      actor,
      workflowId: undefined,
      target: `${destination.kind}:${destination.host}`,
      purpose: undefined,
      reason,
      counts: Object.fromEntries(categories.map((kind) => [kind, 1])),
      characters: 0,
    })
}

/** Asks consents and preferences before data of accounts leaves the installation. */
export function openDepartures(
  { region, hostRegions: entries }: Pick<Config, 'region' | 'hostRegions'>,
  { database, system }: { readonly database: Pick<Database, 'system'>; readonly system: Pick<System, 'now' | 'newId'> },
): Departures {
  return createDepartures({
    db: database.system,
    consents: createConsents(system),
    region,
    regionOf: hostRegions(entries),
    record: departureLog(system),
    now: system.now,
  })
}

/** What of prompts may be sent to a model: what the privacy policy allows, and of that what may leave the installation. */
export function modelEgress(departures: Departures, policies: Pick<PolicyGuard, 'admitPrompt'>): EgressPort {
  return {
    async admit({ accountId, workflowId, host, region, texts }) {
      const actor = 'system:models'
      const demand = await policies.admitPrompt({ accountId, workflowId, actor, target: `model:${host}` }, texts)
      const departure = { accountId, kind: 'model', host, region, actor } as const
      const admission = await departures.admit(departure, (kinds) => kindsIn(examinable(texts), kinds))
      if (admission === undefined) return demand === undefined ? undefined : withPlaceholders(texts, demand)
      if (demand === undefined) return withPlaceholders(texts, { kinds: admission.redact })
      const kinds = demand.kinds === undefined ? {} : { kinds: demand.kinds.union(admission.redact) }
      return withPlaceholders(texts, kinds)
    },
  }
}

/** The requests of one execution, each as it may be sent. */
export function departingFetch(http: GuardedFetch, departures: Departures) {
  return ({
    accountId,
    executionId,
    depth = 0,
    log,
  }: Pick<EffectCall, 'accountId' | 'executionId' | 'depth' | 'log'>): Pick<GuardedFetch, 'request'> => ({
    async request(request, signal) {
      const from = { accountId, kind: 'connector', actor: `execution:${toTypeId('exec', executionId)}` } as const
      const body = await admitted(departures, from, request.url, request.body)
      const admitHop = async (url: string): Promise<void> => {
        if ((await admitted(departures, from, url, body)) !== body)
          throw new NetError('denied', 'the reply redirects to a host that may not receive all of the data')
      }
      const headers = { ...request.headers, ...depthHeaders(depth) }
      const sent = { ...request, headers, ...(body === undefined ? {} : { body }), admitHop }
      return log === undefined ? http.request(sent, signal) : logFailure(sent, log, () => http.request(sent, signal))
    },
  })
}

const excerptMax = 16_384

/** Writes a request that failed into the log of the attempt: what was asked, and the beginning of the reply. Queries and headers may have keys. */
async function logFailure(
  { method, url }: Pick<OutgoingRequest, 'method' | 'url'>,
  log: (text: string) => void,
  send: () => ReturnType<GuardedFetch['request']>,
): ReturnType<GuardedFetch['request']> {
  const { origin, pathname } = new URL(url)
  try {
    const reply = await send()
    const { status, body } = reply
    const shown = isUtf8(body) ? Buffer.from(body.subarray(0, excerptMax)).toString('utf8') : `${body.length} bytes`
    if (status >= 400) log(`${method} ${origin}${pathname}: ${status}\n${shown}`)
    return reply
  } catch (error) {
    if (error instanceof Error) log(`${method} ${origin}${pathname}: ${error.message}`)
    throw error
  }
}

/** Texts of one execution for services that do not speak HTTP: they leave whole or not at all. */
export function departingTexts(departures: Departures): AdmitTexts {
  return async ({ accountId, executionId }, { host, texts }) => {
    const from = { accountId, kind: 'connector', host, actor: `execution:${toTypeId('exec', executionId)}` } as const
    const admission = await departures
      .admit(from, (kinds) => kindsIn(examinable(texts), kinds))
      .catch((error: unknown) => {
        throw error instanceof Fault ? new NetError('denied', error.message, { cause: error }) : error
      })
    if (admission !== undefined && kindsIn(texts, admission.redact).length > 0)
      throw new NetError('denied', 'the arguments contain personal data, which the privacy preferences redact')
  }
}

/** The body of an event as it may be delivered. */
export function eventAdmission(departures: Departures, actor: `system:${string}` = 'system:events') {
  return async ({ accountId, url, body }: { readonly accountId: string; readonly url: string; readonly body: string }): Promise<string> =>
    textOf((await admitted(departures, { accountId, kind: 'webhook', actor }, url, body)) ?? body)
}

/** Mails of workflows and notices with data of accounts. Mails by which people sign in are the exception: without them no user could consent. */
export function departingMailer(mailer: Mailer, departures: Departures, host: string): Mailer {
  return {
    async send(message, signal) {
      if (message.accountId.startsWith('own:')) return mailer.send(message, signal)
      const { accountId, subject, text, html } = message
      const parts = { subject, ...(text === undefined ? {} : { text }), ...(html === undefined ? {} : { html }) }
      const departure = { accountId, kind: 'mail', host, actor: 'system:mail' } as const
      const admission = await departures
        .admit(departure, (kinds) => kindsIn(examinable(Object.values(parts)), kinds))
        .catch((error: unknown) => {
          throw error instanceof Fault ? new MailError('denied', error.message, { cause: error }) : error
        })
      if (admission === undefined) return mailer.send(message, signal)
      if ((message.attachments ?? []).length > 0)
        throw new MailError('denied', 'The privacy preferences redact mails, and attachments cannot be redacted.')
      const kept = Object.fromEntries(Object.entries(parts).map(([name, part]) => [name, redactAll(part, admission.redact)]))
      return mailer.send({ ...message, ...kept }, signal)
    },
    close: () => mailer.close(),
  }
}

/** The body as it may be sent to a URL; undefined without one. Throws a NetError if nothing may be sent. */
async function admitted(
  departures: Departures,
  from: Omit<Departure, 'host'>,
  url: string,
  body: OutgoingRequest['body'],
): Promise<OutgoingRequest['body']> {
  const { hostname, pathname, search } = new URL(url)
  const address = decoded(pathname + search)
  const text = body === undefined ? '' : textOf(body)
  const admission = await departures
    .admit({ ...from, host: hostname }, (kinds) => kindsIn(examinable([address, text]), kinds))
    .catch((error: unknown) => {
      throw error instanceof Fault ? new NetError('denied', error.message, { cause: error }) : error
    })
  if (admission === undefined) return body
  if (kindsIn([address], admission.redact).length > 0)
    throw new NetError('denied', 'the address contains personal data, which the privacy preferences redact: send it in the body')
  return body === undefined ? undefined : redactBody(body, admission.redact)
}

/** The body with placeholders in place of personal data. One without such data stays as it is, byte for byte. */
export async function redactBody(body: string | Uint8Array, kinds: ReadonlySet<PersonalDataKind>): Promise<string | Uint8Array> {
  const text = textOf(body)
  const json = parsed(text)
  if (json === undefined) {
    if (kindsIn([text], kinds).length === 0) return body
    if (typeof body !== 'string' && !isUtf8(body))
      throw new NetError('denied', 'the body is no text and seems to contain personal data, which the privacy preferences redact')
    return redactAll(text, kinds)
  }
  const { counts, redacted, isTruncated } = await inspectJson(json, { kinds }, charactersMax)
  if (isTruncated)
    throw new NetError('denied', 'the body is too large to be examined for personal data, which the privacy preferences redact')
  return Object.keys(counts).length === 0 ? body : JSON.stringify(redacted)
}

function examinable(texts: readonly string[]): readonly string[] {
  if (texts.reduce((sum, { length }) => sum + length, 0) <= charactersMax) return texts
  throw new Fault('consent_required', {
    detail: `More than ${charactersMax} characters cannot be examined for personal data, which the privacy preferences demand.`,
  })
}

const textOf = (body: string | Uint8Array) => (typeof body === 'string' ? body : Buffer.from(body).toString('utf8'))

function parsed(text: string): JsonValue | undefined {
  try {
    return JsonValue.parse(JSON.parse(text))
  } catch {
    return undefined
  }
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
