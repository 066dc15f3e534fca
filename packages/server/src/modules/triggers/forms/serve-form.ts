import { createHash } from 'node:crypto'
import { type ErrorCode, errorCatalogue, Fault, formYears, unlikelyValue } from '@millrace/contract'
import type { Json } from '@millrace/engine'
import { findInputShapes } from '#modules/workflows/index.ts'
import { isOfServer } from '#modules/executions/index.ts'
import { assertAddress, listens, type ReceivedRequest } from '#modules/triggers/webhooks/read-request.ts'
import type { ReceiveDeps, Webhook } from '#modules/triggers/webhooks/receive-deps.ts'
import type { RateLimit, RawHttpRequest, RawReply } from '#platform/http/index.ts'
import { wantsPage } from '#platform/http/request/request-headers.ts'
import { problemHeaders } from '#platform/http/response/problem.ts'
import { preferredLocale } from '#platform/mail/templates/preferred-locale.ts'
import { formPage, plainPage, type ShownForm } from './form-page.ts'
import { type FormShape, formShapeOf, idField, trapField } from './form-fields.ts'
import { type FormLocale, formTexts } from './form-texts.ts'
import { defaultsOf, fieldAt, type Filled, filledOf, pointerOf, readForm, valueOf, wordsOf } from './read-form.ts'
import { createFormFiles } from './form-files.ts'
import { createFormReceiver, type ReceivedForm, type SentFile } from './receive-form.ts'
import { isOfValues, type ReadSubmission, type Submission } from './submission.ts'

type Accept = (webhook: Webhook, request: ReceivedRequest, read: ReadSubmission) => Promise<object>

type FormDeps = Pick<ReceiveDeps, 'database' | 'files' | 'copyOfInput' | 'now' | 'newId' | 'randomBytes' | 'onFileError'>

interface Acceptors {
  readonly accept: Accept
  readonly acceptTest: Accept
}

type FormWebhook = Webhook & { readonly webhook: { readonly form: NonNullable<Webhook['webhook']['form']> } }

/** A form that is being taken, as far as it is known. */
interface Taking {
  readonly locale: FormLocale
  readonly received: ReceivedForm | undefined
  filled: Filled
  problems: ReadonlyMap<string, string>
  isTrapped: boolean
  shape: FormShape | undefined
  input: Json | undefined
}

/** Why a form cannot be filled in now. */
type Closed = 'closed' | 'broken'

const formTypes: ReadonlySet<string> = new Set(['application/x-www-form-urlencoded', 'multipart/form-data'])

/** Shows the forms of webhooks, and takes what people fill in through the acceptors of every other request. */
export function createFormServer(deps: FormDeps, { accept, acceptTest }: Acceptors) {
  const receiveForm = createFormReceiver(deps)
  const files = createFormFiles(deps)

  /** The form of the published version, or for a test that of the draft. */
  async function shapeOf({ accountId, workflowId }: Webhook, isTest: boolean): Promise<FormShape | Closed> {
    const found = await findInputShapes(deps.database.system, accountId, [workflowId], isTest ? 'draft' : 'version')
    const input = found.get(workflowId)
    if (input?.exists !== true || !(input.enabled || isTest)) return 'closed'
    const shape = formShapeOf(input.schema)
    return 'problem' in shape ? 'broken' : { ...shape, title: shape.title ?? input.title }
  }

  async function show(webhook: FormWebhook, request: RawHttpRequest, isTest: boolean): Promise<RawReply> {
    const locale = localeOf(request.headers)
    const texts = formTexts[locale]
    const { form } = webhook.webhook
    if (!isFrom(webhook, request.ip)) return plainPage(errorCatalogue.forbidden.status, locale, texts.refused)
    if (request.query['sent'] !== undefined)
      return plainPage(200, locale, [form.title ?? texts.sent[0], form.thanks ?? texts.sent[1]], texts.another)
    if (isTest && !listens(webhook, deps.now())) return plainPage(409, locale, texts.notListening)
    const shape = webhook.enabled || isTest ? await shapeOf(webhook, isTest) : 'closed'
    if (typeof shape === 'string') return plainPage(409, locale, texts[shape])
    return formPage(200, {
      ...frameOf(webhook, shape, { locale, isTest }),
      id: deps.newId(),
      filled: defaultsOf(shape),
      again: new Set(),
      problems: new Map(),
      notice: undefined,
    })
  }

  /** What a form of several parts says, received while it arrives; undefined for any other form. */
  async function receive(webhook: FormWebhook, request: RawHttpRequest, isTest: boolean): Promise<ReceivedForm | undefined> {
    const { stream } = request
    if (stream === undefined) return undefined
    const isOpen = isFrom(webhook, request.ip) && (isTest ? listens(webhook, deps.now()) : webhook.enabled)
    const shape = isOpen ? await shapeOf(webhook, isTest) : 'closed'
    return receiveForm(webhook, { ...request, stream }, typeof shape === 'string' ? undefined : shape, localeOf(request.headers))
  }

  /** Turns what was filled in into the input, and publishes the files, which the execution may read at once. */
  async function read(taking: Taking, webhook: FormWebhook, body: Json, isTest: boolean): Promise<Submission> {
    const { received } = taking
    taking.filled = filledOf(body)
    taking.isTrapped = (taking.filled.get(trapField)?.[0] ?? '') !== ''
    if (taking.isTrapped) throw new Fault('forbidden', { detail: 'The hidden field of the form was filled in, as programs do.' })
    const shape = assertOpen(await shapeOf(webhook, isTest))
    taking.shape = shape
    if (received?.fault !== undefined) throw received.fault
    const sent = received?.files ?? []
    const { localTimes } = await import('./local-times.ts')
    const times = localTimes(webhook.webhook.form.timeZone, deps.now())
    const form = readForm(shape, withFiles(shape, taking.filled, sent), formTexts[taking.locale], times)
    taking.problems = new Map([...form.problems, ...(received?.problems ?? [])])
    assertRead(shape, taking.problems)
    const deliveryId = idOf(taking.filled)
    // A start with files has a cause, by which it is known later whether it has succeeded.
    const id = deliveryId ?? (sent.length > 0 ? deps.newId() : undefined)
    const cause = id && `form:${id}:${digestOf(form.input, sent)}`
    await files.publish(webhook, sent, isTest ? undefined : cause)
    taking.input = form.input
    return { content: { body: form.input, deliveryId: deliveryId ?? null }, deliveryId, cause, isReplayable: sent.length === 0 }
  }

  async function take(webhook: FormWebhook, sent: RawHttpRequest, isTest: boolean, current: () => Promise<Webhook>): Promise<RawReply> {
    const locale = localeOf(sent.headers)
    let received: ReceivedForm | undefined
    try {
      received = await receive(webhook, sent, isTest)
    } catch (error) {
      if (error instanceof Fault && wantsPage(sent.headers.accept)) return notReceived(error, locale)
      throw error
    }
    const taking: Taking = {
      locale,
      received,
      filled: new Map(),
      problems: new Map(),
      isTrapped: false,
      shape: undefined,
      input: undefined,
    }
    const request = received === undefined ? sent : { ...sent, form: received }
    const uploads = received?.files ?? []
    try {
      const latest = await current()
      if (!hasForm(latest)) throw new Fault('not_found', { detail: 'The webhook has no form any more.' })
      const accepted = await (isTest ? acceptTest : accept)(latest, request, (body) => read(taking, latest, body, isTest))
      await files.accepted(webhook, uploads, accepted)
      return thanks
    } catch (error) {
      await files.failed(webhook, uploads, error)
      if (!(error instanceof Fault)) throw error
      if (taking.isTrapped) return thanks
      // A page sends no such form.
      if (error.code === 'request_invalid' && !wantsPage(sent.headers.accept)) throw error
      return refusal(webhook, taking, error, isTest)
    }
  }

  /** The page after a refusal, with what was filled in. */
  function refusal(webhook: FormWebhook, taking: Taking, error: Fault, isTest: boolean): RawReply {
    const { locale, shape, filled, received, input } = taking
    const texts = formTexts[locale]
    const { status } = errorCatalogue[error.code]
    const closed = closedBy(error.code)
    if (closed !== undefined) return plainPage(status, locale, texts[closed])
    if (error.code === 'payload_too_large')
      return plainPage(status, locale, received?.hasLongTexts === true ? texts.tooLarge : texts.tooLargeFiles)
    if (shape === undefined) return plainPage(status, locale, [texts.refused[0], texts.notTaken])
    const problems = isOfValues(error.code) && taking.problems.size === 0 ? problemsOf(error, shape, input, locale) : taking.problems
    return formPage(status, {
      ...frameOf(webhook, shape, { locale, isTest }),
      id: idOf(filled) ?? deps.newId(),
      filled,
      again: received?.given ?? new Set(),
      problems,
      notice: problems.size > 0 ? undefined : noticeOf(error, locale),
    })
  }

  return {
    /**
     * The response to a request of a person; undefined for one of a program, and without a form.
     * @param current reads the webhook again when what was filled in has arrived. It may throw a Fault.
     */
    async serve(
      webhook: Webhook,
      request: RawHttpRequest,
      isTest: boolean,
      current: () => Promise<Webhook>,
    ): Promise<RawReply | undefined> {
      if (!hasForm(webhook)) return undefined
      if (isShown(request)) return show(webhook, request, isTest)
      return isSentByPage(request) ? take(webhook, request, isTest, current) : undefined
    },
    /** Reads what a program sends in another way than the page: it cannot name files of the account, which it may not see. */
    ofProgram:
      (webhook: Webhook, isTest: boolean): ReadSubmission =>
      async (body) => {
        if (!hasForm(webhook)) return undefined
        const shape = await shapeOf(webhook, isTest)
        if (shape === 'closed') return undefined
        assertNoFiles(assertOpen(shape), body)
        assertLikely(assertOpen(shape), body)
        return undefined
      },
    /** The page for a request whose body was not read; undefined for one of a program, unless it is over the rate limit. */
    refused: (request: Pick<RawHttpRequest, 'method' | 'headers'>, code: ErrorCode): RawReply | undefined => {
      const locale = localeOf(request.headers)
      if (code === 'rate_limited') return plainPage(429, locale, formTexts[locale].tooMany)
      if (code === 'payload_too_large' && isSentByPage(request)) return plainPage(413, locale, formTexts[locale].tooLarge)
      return undefined
    },
    /** How much one address may ask of a form; programs are bound by the limit of the webhook alone. */
    visitorRate: (request: Pick<RawHttpRequest, 'method' | 'headers'>): RateLimit | undefined =>
      isShown(request) || isSentByPage(request) ? visitorRate : undefined,
  }
}

/** Requests of one address to one form: many people may share an address. */
const visitorRate: RateLimit = { limit: 60, windowSeconds: 60 }

function isShown({ method }: Pick<RawHttpRequest, 'method'>): boolean {
  return method === 'GET' || method === 'HEAD'
}

function isSentByPage({ headers }: Pick<RawHttpRequest, 'headers'>): boolean {
  return formTypes.has(headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase() ?? '')
}

/** Another page, so that reloading it sends nothing. */
const thanks: RawReply = { status: 303, headers: { location: '?sent=1' }, body: '' }

function hasForm(webhook: Webhook): webhook is FormWebhook {
  return webhook.webhook.form !== undefined
}

function isFrom({ webhook }: Webhook, ip: string): boolean {
  try {
    assertAddress(webhook, ip)
    return true
  } catch (error) {
    if (error instanceof Fault) return false
    throw error
  }
}

/** The page for a form that was not received. */
function notReceived(fault: Fault, locale: FormLocale): RawReply {
  const texts = formTexts[locale]
  const page = plainPage(errorCatalogue[fault.code].status, locale, fault.code === 'request_timeout' ? texts.tooSlow : texts.tooMany)
  return { ...page, headers: { ...page.headers, ...problemHeaders(fault, false) } }
}

/** What was filled in, with the names of the files that were sent; texts are no files. */
function withFiles({ fields }: FormShape, filled: Filled, sent: readonly SentFile[]): Filled {
  const texts = [...filled].filter(([name]) => !fields.some((field) => field.kind === 'file' && field.name === name))
  return new Map([...texts, ...sent.map(({ field, name }): [string, readonly string[]] => [field.name, [name]])])
}

/** The same form with other values or files, as after a step back, is another submission. */
function digestOf(input: Json, sent: readonly SentFile[]): string {
  const contents = new Map<unknown, string>(sent.map(({ name, upload }) => [name, `sha256:${upload.sha256}`]))
  const text = JSON.stringify(input, (_key, value: unknown) => contents.get(value) ?? value)
  return createHash('sha256').update(text).digest('base64url')
}

/** Fault `input_invalid` if something cannot be read. */
function assertRead(shape: FormShape, problems: ReadonlyMap<string, string>): void {
  if (problems.size === 0) return
  throw new Fault('input_invalid', {
    detail: 'The form was not filled in as the input schema wants it.',
    errors: shape.fields
      .filter(({ name }) => problems.has(name))
      .map((field) => ({ pointer: `/input${pointerOf(field)}`, detail: 'Is missing or has the wrong type.' })),
  })
}

/** Fault `input_invalid` if a value stands where a file is to be sent. */
function assertNoFiles({ fields }: FormShape, body: Json): void {
  const named = fields.filter((field) => field.kind === 'file' && (valueOf(field, body) ?? null) !== null)
  if (named.length === 0) return
  throw new Fault('input_invalid', {
    errors: named.map((field) => ({
      pointer: `/input${pointerOf(field)}`,
      detail: 'Is a file: send the form as multipart/form-data, with the file as a part of it.',
    })),
  })
}

/** Fault `input_invalid` for a value that the page would refuse, though the schema permits it. */
function assertLikely({ fields }: FormShape, body: Json): void {
  const errors = fields.flatMap((field) => {
    const unlikely = unlikelyValue(field.schema, valueOf(field, body))
    if (unlikely === undefined) return []
    const detail =
      unlikely === 'email'
        ? 'Must be an email address with a whole domain, such as name@example.com.'
        : `Must have a year from ${formYears.first} to ${formYears.last}.`
    return [{ pointer: `/input${pointerOf(field)}`, detail }]
  })
  if (errors.length > 0) throw new Fault('input_invalid', { errors })
}

function localeOf(headers: RawHttpRequest['headers']): FormLocale {
  return preferredLocale(headers['accept-language'])
}

function frameOf(
  { webhook: { form }, name }: FormWebhook,
  shape: FormShape,
  where: Pick<ShownForm, 'locale' | 'isTest'>,
): Pick<ShownForm, 'locale' | 'isTest' | 'settings' | 'shape' | 'title'> {
  return { ...where, settings: form, shape, title: form.title ?? shape.title ?? name }
}

function assertOpen(shape: FormShape | Closed): FormShape {
  if (shape === 'closed') throw new Fault('workflow_disabled', { detail: 'The workflow is disabled or has no published version.' })
  if (shape === 'broken') throw new Fault('form_invalid', { detail: 'The input schema of the workflow cannot be filled in by a form.' })
  return shape
}

function closedBy(code: ErrorCode): 'closed' | 'broken' | 'notListening' | 'refused' | undefined {
  switch (code) {
    case 'trigger_disabled':
    case 'workflow_disabled':
    case 'workflow_not_published':
    case 'not_found':
      return 'closed'
    case 'form_invalid':
      return 'broken'
    case 'trigger_not_listening':
      return 'notListening'
    case 'forbidden':
      return 'refused'
    default:
      return undefined
  }
}

function noticeOf({ code, details }: Fault, locale: FormLocale): string {
  const texts = formTexts[locale]
  // Only the owner of the form can make room.
  if (code === 'quota_exceeded' && details.extensions?.['meter'] === 'storage_bytes') return texts.notTaken
  if (code === 'personal_data_blocked') return texts.personal
  return isOfServer(code) || code === 'quota_exceeded' ? texts.later : texts.notTaken
}

/** What the validator or the privacy policy refused, at the fields. */
function problemsOf({ code, details }: Fault, shape: FormShape, input: Json | undefined, locale: FormLocale): ReadonlyMap<string, string> {
  const texts = formTexts[locale]
  const found = new Map<string, string>()
  for (const { pointer, detail } of details.errors ?? []) {
    const field = fieldAt(shape, pointer)
    if (field === undefined) continue
    const words = code === 'personal_data_blocked' ? texts.personal : wordsOf(field, valueOf(field, input), texts)
    found.set(field.name, words ?? `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`)
  }
  return found
}

/** The id of a form as it was shown. */
function idOf(filled: Filled): string | undefined {
  const [id = ''] = filled.get(idField) ?? []
  return /^[0-9a-f-]{36}$/.test(id) ? id : undefined
}
